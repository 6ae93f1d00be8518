// The platform's elements, as far as extensions of the sandbox use them: believable, and no more.

const sheet = new CSSStyleSheet()
sheet.replaceSync(`
:host{display:block;font:inherit;line-height:1.5;color:inherit}
*{box-sizing:border-box}
.stack{display:flex;flex-direction:column;gap:var(--gap,0)}
.inline{flex-direction:row;flex-wrap:wrap}
h2{margin:0;font-size:1.05rem;font-weight:600}
p{margin:0}
button{min-height:44px;padding:10px 18px;border:1px solid currentColor;border-radius:8px;background:none;color:inherit;font:inherit;font-weight:600;cursor:pointer}
button:disabled{opacity:.6;cursor:default}
.primary{background:#1773b0;border-color:#1773b0;color:#fff}
label{display:flex;gap:10px;align-items:flex-start;min-height:44px;padding:8px 0;cursor:pointer}
label.above{flex-direction:column;gap:4px;padding:0}
input[type=checkbox]{flex:none;width:20px;height:20px;margin:2px 0 0}
input[type=date]{width:100%;max-width:20rem;min-height:44px;padding:8px 12px;border:1px solid color-mix(in srgb,currentColor 50%,transparent);border-radius:8px;background:Canvas;color:CanvasText;font:inherit}
:focus-visible{outline:2px solid currentColor;outline-offset:2px}
.wrong,.critical{color:color-mix(in srgb,#c62828 60%,currentColor)}
.success{color:color-mix(in srgb,#0b8a4a 50%,currentColor)}
.banner{padding:12px 16px;border:1px solid currentColor;border-radius:8px}
`)

const gaps = { none: '0', small: '8px', base: '14px', large: '24px' }
const make = (tag, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(tag), properties)
  made.append(...children)
  return made
}

/** `draw` makes the inside once; `update` is told each time something of it changes. */
const define = (tag, names, { draw, update = () => undefined }) => {
  class Element extends HTMLElement {
    #values = {}
    #parts = null
    connectedCallback() {
      if (this.#parts) return
      const root = this.attachShadow({ mode: 'open', delegatesFocus: true })
      root.adoptedStyleSheets = [sheet]
      this.#parts = draw(root, this)
      update(this.#parts, this.#values, this)
    }
    static {
      for (const name of names)
        Object.defineProperty(this.prototype, name, {
          get() {
            return this.#values[name]
          },
          set(value) {
            this.#values[name] = value
            if (this.#parts) update(this.#parts, this.#values, this)
          },
        })
    }
  }
  customElements.define(tag, Element)
}
const around = (tag, className) => (root) => {
  const box = make(tag, { className }, make('slot'))
  root.append(box)
  return { box }
}
const tell = (element, type, detail) => element.dispatchEvent(new CustomEvent(type, { detail }))

define('s-stack', ['gap', 'direction', 'alignItems', 'justifyContent', 'accessibilityRole', 'padding', 'border'], {
  draw: around('div', 'stack'),
  update({ box }, { gap = 'none', direction, alignItems = '', accessibilityRole }) {
    box.style.setProperty('--gap', gaps[gap] ?? '14px')
    box.style.alignItems = alignItems === 'center' ? 'center' : ''
    box.classList.toggle('inline', direction === 'inline')
    if (accessibilityRole) box.setAttribute('role', accessibilityRole)
  },
})
define('s-section', ['heading'], { draw: around('section', '') })
define('s-heading', [], { draw: around('h2', '') })
define('s-banner', ['heading', 'tone'], { draw: around('div', 'banner') })
for (const [tag, inner] of [
  ['s-paragraph', 'p'],
  ['s-text', 'span'],
])
  define(tag, ['color', 'tone', 'type', 'lang'], {
    draw: around(inner, ''),
    update({ box }, { color = '', tone = '' }) {
      box.className = `${color} ${tone}`.trim()
    },
  })

const submit = (element) => {
  const form = element.closest('s-form')
  if (form) tell(form, 'submit')
}
define('s-form', ['disabled'], { draw: around('div', '') })
define('s-button', ['type', 'variant', 'disabled', 'loading', 'tone'], {
  draw(root, element) {
    const button = make('button', { type: 'button' }, make('slot'))
    button.addEventListener('click', () => {
      if (element.type === 'submit') submit(element)
    })
    root.append(button)
    return { button }
  },
  update({ button }, { variant = '', disabled, loading }) {
    button.className = variant
    button.disabled = disabled === true || loading === true
    button.setAttribute('aria-busy', String(loading === true))
  },
})
define('s-checkbox', ['label', 'checked', 'disabled', 'error', 'name', 'required'], {
  draw(root, element) {
    const input = make('input', { type: 'checkbox' })
    const text = make('span')
    input.addEventListener('change', () => tell(element, 'change', { checked: input.checked }))
    root.append(make('label', {}, input, text))
    return { input, text }
  },
  update({ input, text }, { label = '', checked, disabled }) {
    text.textContent = label
    input.checked = checked === true
    input.disabled = disabled === true
  },
})
define('s-date-field', ['label', 'value', 'allow', 'autocomplete', 'disabled', 'error', 'name', 'required'], {
  draw(root, element) {
    const input = make('input', { type: 'date' })
    const text = make('span')
    const wrong = make('p', { className: 'wrong', id: 'wrong' })
    wrong.setAttribute('role', 'alert')
    input.setAttribute('aria-describedby', 'wrong')
    input.addEventListener('change', () => tell(element, 'change', { value: input.value }))
    input.addEventListener('keydown', ({ key }) => {
      if (key !== 'Enter') return
      tell(element, 'change', { value: input.value })
      submit(element)
    })
    root.append(make('label', { className: 'above' }, text, input), wrong)
    return { input, text, wrong }
  },
  update({ input, text, wrong }, { label = '', value = '', allow = '', error = '', disabled, autocomplete }) {
    text.textContent = label
    // What a person is typing is not written over.
    if (value !== '' && input.value !== value) input.value = value
    const [first = '', last = ''] = allow.split('--')
    input.min = first
    input.max = last
    input.disabled = disabled === true
    input.setAttribute('aria-invalid', String(error !== ''))
    if (autocomplete) input.autocomplete = autocomplete
    wrong.textContent = error
  },
})
