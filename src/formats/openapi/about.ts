import { PAGE_SIZE } from '#limits'

/** What a reader must know before the first call: the document's introduction, in Markdown. */
export const about = `
Dispatchers schedule jobs for mobile workers; this is how programs take part. Every address here has two forms, XML and
its JSON twin, with the same names in the same order.

**Address and format.** This document has the addresses in JSON; \`/v5/openapi.xml.json\` has their XML twins.
\`.xml\` or \`.json\` after the last segment chooses the format. Without it \`Accept\` does, then
the body's \`Content-Type\`, then it is XML. The same tree answers under \`/v5\`, \`/api/v5\`, \`/v4\`, \`/api/v4\`,
\`/2.0\` and \`/api/2.0\`. \`HEAD\` is \`GET\` without the body, \`X-HTTP-Method-Override\` on a
\`POST\` is honoured, and another method on a known address is 405 with \`Allow\`.

**Key.** In the query as \`api_key\`, or as \`Authorization: Bearer KEY\`. A record of another account, or one that the
key may not see, is 404 like one that does not exist.

**Compression.** Every request must accept gzip, else it is 406: \`Accept-Encoding: gzip\`. Browsers and most clients say
so by themselves; with curl it is \`--compressed\`.

**XML.** The root is the singular name. Elements may carry \`type\` (\`integer\`, \`decimal\`, \`boolean\`,
\`datetime\`, \`array\`), \`readonly="readonly"\` where only the server sets them, and \`nil="true"\` where there is no
value. Lists of ids are one comma-separated text; in JSON they are arrays. Decimals are text in JSON, so that they stay
exact. Instants are read in any usual ISO 8601 form; JSON always writes \`2026-11-20T09:15:00Z\`.

**Lists.** The root is the plural with \`current_page\`, \`per_page\`, \`total_pages\` and \`total_entries\`; ${PAGE_SIZE.default} a page, at
most ${PAGE_SIZE.max}. Any scalar field is a filter of its own, and empty finds what has none. Walk large lists with \`after_id\`. A
filter that is unknown, or has a value of the wrong type, is 422 and never a silently different list.

**Writing.** \`PUT\` and \`PATCH\` are the same: what is absent stays, what is empty or nil is cleared. What only the server
sets is ignored, so what was read can be sent back. \`DELETE\` answers with the record as it last was. \`Idempotency-Key\`
makes a repeat safe, \`If-Match\` guards against the change of somebody else, and \`dry_run=true\` tells what would happen.

**Errors.** Everything from 400 up has a body with a sentence for each fault, all faults at once. 422 names the fields.
`.trim()
