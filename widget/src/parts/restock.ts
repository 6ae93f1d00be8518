import type { CallError, Kit, Texts } from '../kit.ts'

interface Facts {
  email: boolean
  line: boolean
  /** The merchant's own words; empty in a language: ours. */
  texts: Record<string, Texts | undefined>
}

const CSS =
  '.b{display:grid;gap:8px}' +
  'dialog{width:min(420px,100vw - 32px);padding:24px;border:1px solid var(--line);border-radius:12px;background:var(--ground);color:var(--text)}dialog::backdrop{background:#0008}form,label{display:grid;grid-template-columns:minmax(0,1fr)}form{gap:12px}' +
  'h2,p{margin:0}h2{font-size:1.15em}label{gap:4px;font-weight:600}input{width:100%;font-weight:400}.l{text-align:center;text-decoration:none;line-height:28px}'

/** On sold-out products: a visitor asks for a message when it is back. */
export function mount(place: Element, kit: Kit): void {
  const facts = kit.settings.facts['restock'] as Facts | undefined
  const { page, el, t } = kit
  const { dataset } = place as HTMLElement
  const product_id = Number(dataset['productId'] ?? page.product?.id)
  if (!facts || !product_id) return
  const variants = page.product?.id === product_id ? page.product.variants : []
  const chosen = (): number | undefined => (variants.length > 0 ? (kit.variantId() ?? undefined) : undefined)
  const isSoldOut = (): boolean =>
    variants.length > 0
      ? variants.some(({ id, available }) => id === chosen() && !available)
      : dataset['soldOut'] !== undefined
  const say = (name: string, usual: Texts): string => facts.texts[name]?.[page.language] || t(usual)
  const buttons = el('div', { class: 'b' })
  const root = kit.shadow(place, CSS)
  root.replaceChildren(buttons)

  function open(byLine: boolean): void {
    const name = byLine ? 'line_popup_' : 'popup_'
    const isGuest = page.customerId === null
    const variant = variants.length > 1 && variants.find(({ id }) => id === chosen())?.title
    const isTyped = isGuest && !byLine
    const said = el('p', { role: 'status' })
    const input = el('input', { type: 'email', autocomplete: 'email', required: true })
    const label = el('label', {}, t(kit.texts.email), input)
    const submit = el('button', { type: 'submit' }, t({ ja: '登録する', en: 'Notify me' }))
    const signIn = (): HTMLElement =>
      el(
        'a',
        { href: kit.proxied('/frontend/line/connect'), class: 'l' },
        t({ ja: '先にLINEアカウントを連携する', en: 'Link your LINE account first' }),
      )
    const form = el(
      'form',
      { submit: (event) => void send(event) },
      el('h2', { id: 'h' }, say(`${name}title`, { ja: '再入荷のお知らせ', en: 'Back in stock' })),
      variant ? el('b', {}, variant) : null,
      el(
        'p',
        {},
        say(
          `${name}text`,
          byLine
            ? { ja: '再入荷したら、LINEでお知らせします。', en: 'We’ll send you a LINE message when it’s back.' }
            : { ja: '再入荷したら、メールでお知らせします。', en: 'We’ll email you when it’s back.' },
        ),
      ),
      isTyped ? label : null,
      said,
      byLine && isGuest ? signIn() : submit,
      el('button', { type: 'button', click: () => dialog.close() }, t({ ja: '閉じる', en: 'Close' })),
    )
    // The browser keeps the focus in it, and takes it back.
    const dialog = el('dialog', { 'aria-labelledby': 'h', close: () => dialog.remove() }, form)
    const send = async (event: Event): Promise<void> => {
      event.preventDefault()
      submit.disabled = true
      said.textContent = t(kit.texts.sending)
      try {
        const path = byLine ? '/frontend/line/restock/' : '/frontend/restock'
        const answer = await kit.call<{ confirm?: boolean }>('POST', path, {
          product_id: String(product_id),
          variant_id: chosen()?.toString(),
          ...(isTyped && { email: input.value, captcha: await kit.prove('restock') }),
          language: byLine ? undefined : page.language,
        })
        submit.remove()
        label.remove()
        said.textContent = t(answer?.confirm ? kit.texts.confirm : { ja: '登録しました。', en: 'You’re on the list.' })
      } catch (error) {
        const { reason } = error as CallError
        submit.disabled = false
        if (reason === 'line_not_linked' || reason === 'customer_not_signed_in') {
          // Pressed again it would fail again.
          said.textContent = ''
          const link = signIn()
          submit.replaceWith(link)
          link.focus()
        } else
          said.textContent = kit.why(
            error,
            { ja: '登録できませんでした。もう一度お試しください。', en: 'That failed. Please try again.' },
            { in_stock: { ja: 'この商品は再入荷しました。', en: 'It is back in stock.' } },
          )
      }
    }
    root.append(dialog)
    dialog.showModal()
  }

  const draw = (): void => {
    const button = (byLine: boolean, text: string): Node =>
      el('button', { type: 'button', click: () => open(byLine) }, text)
    buttons.replaceChildren()
    if (!isSoldOut()) return
    if (facts.email)
      buttons.append(button(false, say('button', { ja: '再入荷をメールで受け取る', en: 'Email me when it’s back' })))
    if (facts.line)
      buttons.append(button(true, say('line_button', { ja: '再入荷をLINEで受け取る', en: 'LINE me when it’s back' })))
  }
  draw()
  kit.onVariant(draw)
}
