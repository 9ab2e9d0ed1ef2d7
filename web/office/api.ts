import { connect } from '../client/index.ts'

/** The API of this server, as who is signed in sees it. */
export const api = connect({ base: document.baseURI })
