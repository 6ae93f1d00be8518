// On the page: a frame for each block, what the extension asks, and its elements drawn by ours.
import './elements.js'
import { DOMRemoteReceiver } from '@remote-dom/core/receivers'

const address = (path) => new URL(path, location.href).href
let token = null
/** The same for all blocks of the page while it is good, as on the platform. */
const sessionToken = async (path) => {
  if (token === null || token.until < Date.now()) {
    const asked = fetch(path).then(async (answer) => (await answer.json()).token)
    token = { asked, until: Date.now() + 240_000 }
  }
  return token.asked
}

for (const place of document.querySelectorAll('[data-checkout-extension]')) {
  const { frame: frameAddress, code, token: tokenAddress, api } = JSON.parse(place.dataset.checkoutExtension)
  place.removeAttribute('data-checkout-extension')
  const receiver = new DOMRemoteReceiver()
  receiver.connect(place)
  const { port1: port, port2 } = new MessageChannel()
  const kept = (name) => `checkout-extension ${name}`
  const answers = {
    token: () => sessionToken(tokenAddress),
    read: (name) => JSON.parse(localStorage.getItem(kept(name)) ?? 'null'),
    write: (name, value) => localStorage.setItem(kept(name), JSON.stringify(value)),
  }
  const listening = (value) => {
    if (Array.isArray(value)) return value.map(listening)
    if (value === null || typeof value !== 'object') return value
    if ('listener' in value) return (detail) => port.postMessage({ listener: value.listener, detail })
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, listening(one)]))
  }
  port.onmessage = async ({ data }) => {
    if ('records' in data) return receiver.connection.mutate(listening(data.records))
    try {
      port.postMessage({ number: data.number, answer: await answers[data.ask](...data.args) })
    } catch (error) {
      port.postMessage({ number: data.number, error: String(error) })
    }
  }
  const frame = document.createElement('iframe')
  frame.hidden = true
  frame.title = ''
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.src = frameAddress
  frame.addEventListener('load', () => {
    const start = { worker: address(new URL('worker.js', import.meta.url)), code: address(code), api }
    frame.contentWindow.postMessage(start, '*', [port2])
  })
  document.body.append(frame)
}
