/** Connections that are open at a time; each is a file that is open. More are hung up on. */
export const MAX_CONNECTIONS = 20_000
