import { escapeHtml } from '../../page.ts'
import { isObject, type Json } from '../shapes/shapes.ts'

/** What can be tapped on a page of a phone: each a button of a form that stands at the page's end, for forms cannot be nested. */
export interface Taps {
  button(action: unknown, look?: { className?: string; look?: string; label?: string }): string
  /** Lies over what is drawn, and below the buttons in it; nothing where there is no action. */
  over(action: unknown): string
  /** The address of a picture, such that the page can load it. */
  picture(url: string): string
  forms(): string
}

export interface TapsOf {
  /** Where the forms are posted to. */
  target: string
  /** Of what is being drawn. */
  sendId: number | null
  seq: number
}

/** `https:` of this machine, where nothing speaks TLS, is reached without. */
export const reachable = (url: string): string =>
  url.replace(/^https:\/\/(127\.0\.0\.1|localhost|\[::1\])(?=[:/]|$)/, 'http://$1')

export function createTaps({ target, sendId, seq }: TapsOf, words: { noLabel: string }): Taps {
  const forms: string[] = []

  function formOf(action: Json): string {
    const id = `tap-${sendId ?? 'menu'}-${seq}-${forms.length}`
    const hidden = (name: string, value: string) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`
    const opens = action['type'] === 'uri' && /^https?:/.test(String(action['uri'])) ? ' target="_blank"' : ''
    forms.push(
      `<form id="${id}" method="post" action="${escapeHtml(target)}" hidden${opens}>${hidden('action', JSON.stringify(action))}${hidden('seq', String(seq))}${sendId === null ? '' : hidden('send', String(sendId))}</form>`,
    )
    return id
  }

  const labelOf = (action: Json): string => {
    const { label, text, uri, data } = action
    return [label, text, uri, data].find((one): one is string => typeof one === 'string' && one !== '') ?? words.noLabel
  }

  return {
    button(action, { className = 'act', look = '', label } = {}) {
      if (!isObject(action)) return ''
      const id = formOf(action)
      const time =
        action['type'] === 'datetimepicker'
          ? `<input form="${id}" name="time" type="${timeInputs[String(action['mode'])] ?? 'date'}" required aria-label="${escapeHtml(labelOf(action))}">`
          : ''
      return `${time}<button form="${id}" class="${className}"${look}>${escapeHtml(label ?? labelOf(action))}</button>`
    },
    over(action) {
      if (!isObject(action)) return ''
      return `<button form="${formOf(action)}" class="over" aria-label="${escapeHtml(labelOf(action))}"></button>`
    },
    picture: (url) => escapeHtml(reachable(url)),
    forms: () => forms.join(''),
  }
}
const timeInputs: Record<string, string> = { date: 'date', time: 'time', datetime: 'datetime-local' }
