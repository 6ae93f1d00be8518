// In the worker: a document that is carried over to the page, the platform's `shopify`, and then the app's extension.
import '@remote-dom/core/polyfill'
import { connectRemoteNode, createRemoteElement, setRemoteId } from '@remote-dom/core/elements'

const ROOT = '~'
/** What each of the platform's elements takes, and what it tells: `change` brings along what was entered. */
const entered = (name) => ({
  change: {
    dispatchEvent(detail) {
      this.updateRemoteProperty(name, detail[name])
    },
  },
})
const elements = {
  's-stack': {
    properties: ['gap', 'direction', 'alignItems', 'justifyContent', 'accessibilityRole', 'padding', 'border'],
  },
  's-section': { properties: ['heading'] },
  's-heading': {},
  's-paragraph': { properties: ['color', 'tone'] },
  's-text': { properties: ['color', 'tone', 'type', 'lang'] },
  's-banner': { properties: ['heading', 'tone'] },
  's-button': { properties: ['type', 'variant', 'disabled', 'loading', 'tone'], events: { click: {} } },
  's-checkbox': {
    properties: ['label', 'checked', 'disabled', 'error', 'name', 'required'],
    events: entered('checked'),
  },
  's-date-field': {
    properties: ['label', 'value', 'allow', 'autocomplete', 'disabled', 'error', 'name', 'required'],
    events: entered('value'),
  },
  's-form': { properties: ['disabled'], events: { submit: {} } },
}
for (const [tag, { properties = [], events = {} }] of Object.entries(elements))
  customElements.define(
    tag,
    createRemoteElement({ properties: Object.fromEntries(properties.map((name) => [name, {}])), events }),
  )

const {
  data: start,
  ports: [port],
} = await globalThis.begun

/** Functions stay here: over there is a number in their place. */
const listeners = []
const sendable = (value) => {
  if (typeof value === 'function') {
    let number = listeners.indexOf(value)
    if (number < 0) number = listeners.push(value) - 1
    return { listener: number }
  }
  if (Array.isArray(value)) return value.map(sendable)
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, sendable(one)]))
  return value
}
const waiting = new Map()
const askPage = (what, ...args) =>
  new Promise((resolve, reject) => {
    const number = waiting.size + Math.random()
    waiting.set(number, { resolve, reject })
    port.postMessage({ ask: what, number, args })
  })
port.onmessage = ({ data }) => {
  if ('listener' in data) listeners[data.listener](data.detail)
  else {
    const { resolve, reject } = waiting.get(data.number)
    waiting.delete(data.number)
    if ('error' in data) reject(new Error(data.error))
    else resolve(data.answer)
  }
}

const { target, version, language, translations } = start.api
const signal = (value) => ({ value, current: value, subscribe: () => () => undefined })
const plurals = new Intl.PluralRules(language)
const translate = (name, values = {}) => {
  const found = name.split('.').reduce((texts, part) => texts?.[part], translations)
  const text = typeof found === 'object' ? (found[plurals.select(values.count)] ?? found.other) : found
  if (text === undefined) throw new Error(`no text ${name}`)
  return text.replace(/\{\{(\w+)\}\}/g, (_, value) => String(values[value]))
}
globalThis.shopify = {
  extension: { target, apiVersion: version },
  settings: signal({}),
  sessionToken: { get: () => askPage('token') },
  storage: {
    read: (name) => askPage('read', name),
    write: (name, value) => askPage('write', name, value),
    delete: (name) => askPage('write', name, null),
  },
  localization: { language: signal({ isoCode: language }), extensionLanguage: signal({ isoCode: language }) },
  i18n: { translate },
}

setRemoteId(document.body, ROOT)
connectRemoteNode(document.body, {
  mutate: (records) => port.postMessage({ records: sendable(records) }),
  call: () => {
    throw new Error('the page calls nothing here')
  },
})
const { default: extension } = await import(start.code)
await extension()
