// The API reference: Swagger UI on what this server says of itself.

const form = document.getElementById('key-form')
const state = document.getElementById('key-state')
const reference = document.getElementById('reference')

try {
  const answer = await fetch('v5/openapi.json')
  if (!answer.ok) throw new Error(`openapi.json answers ${answer.status}`)
  show(await answer.json())
} catch (error) {
  reference.textContent = `The reference can't be shown: ${error.message}`
}

function show(spec) {
  // Calls go to where this page came from, by whatever name the browser knows it.
  spec.servers = [{ url: new URL('.', location.href).pathname }]
  const ui = globalThis.SwaggerUIBundle({
    spec,
    dom_id: '#reference',
    deepLinking: true,
    docExpansion: 'none',
    defaultModelsExpandDepth: -1,
    displayRequestDuration: true,
    filter: true,
    tryItOutEnabled: true,
    validatorUrl: null,
    plugins: [{ statePlugins: { spec: { wrapSelectors: { currentProducesFor: () => firstFormatOf } } } }],
    requestInterceptor(request) {
      // An answer comes in the format of the body; nobody should have to choose twice.
      const type = request.headers['Content-Type']
      if (type) {
        const accept = Object.keys(request.headers).find((name) => name.toLowerCase() === 'accept') ?? 'Accept'
        request.headers[accept] = type
      }
      // The browser accepts gzip by itself; whoever copies the command must say so.
      request.curlOptions = ['--compressed']
      return request
    },
  })

  /** The format that is shown first is the one that an answer has unless another is chosen. Swagger UI takes JSON. */
  function firstFormatOf(_, [path, method]) {
    const { responses } = spec.paths[path][method]
    return Object.keys((responses[200] ?? responses[201]).content)[0]
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const key = form.elements.namedItem('key').value.trim()
    if (key) ui.preauthorizeApiKey('api_key', key)
    else ui.authActions.logout(['api_key'])
    state.textContent = key ? 'in use until this page is closed' : 'no key in use'
  })
}
