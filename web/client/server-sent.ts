/** One message of a stream of server-sent events. A comment has neither data nor event, and keeps the connection alive. */
export interface Message {
  id: string | null
  event: string
  data: string
}

/** Reads `text/event-stream` as it comes: https://html.spec.whatwg.org/multipage/server-sent-events.html */
export async function* messagesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  let rest = ''
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      const blocks = (rest + value).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) yield messageOf(block)
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

function messageOf(block: string): Message {
  const message: Message = { id: null, event: 'message', data: '' }
  for (const line of block.split('\n')) {
    const [, name, value = ''] = /^(\w*): ?(.*)$/s.exec(line) ?? []
    if (name === 'id') message.id = value
    if (name === 'event') message.event = value
    if (name === 'data') message.data += message.data === '' ? value : `\n${value}`
  }
  return message
}
