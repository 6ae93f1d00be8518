import type { Kit } from '../kit.ts'

interface Facts {
  wording: { ja: string; en: string }
  double_opt_in: boolean
}
const CSS =
  'form{display:grid;gap:8px;max-width:460px}div{display:flex;gap:8px;min-width:0}label{font-weight:600}input{flex:1;min-width:0}button{white-space:nowrap}p{margin:0;font-size:.85em}[role=status]{min-height:2.8em}'

/** In the footer: a visitor asks for the newsletter. */
export function mount(place: Element, kit: Kit): void {
  const facts = kit.settings.facts['consent'] as Facts | undefined
  if (!facts) return
  const { el, t } = kit
  const wording = facts.wording[kit.page.language]
  const input = el('input', { type: 'email', id: 'e', name: 'email', autocomplete: 'email', required: true })
  const button = el('button', {}, t({ ja: '登録する', en: 'Sign up' }, 'sign_up_button'))
  const said = el('p', { role: 'status' })
  const form = el(
    'form',
    { submit: (event) => void send(event) },
    el('label', { for: 'e' }, t(kit.texts.email, 'sign_up_label')),
    el('div', {}, input, button),
    el('p', {}, wording),
    said,
  )
  const send = async (event: Event): Promise<void> => {
    event.preventDefault()
    button.disabled = true
    said.textContent = t(kit.texts.sending)
    try {
      const captcha = await kit.prove('sign_up')
      await kit.call('POST', '/frontend/email/sign_up', {
        email: input.value,
        wording,
        language: kit.page.language,
        page: location.href.slice(0, 2000),
        captcha,
      })
      input.value = ''
      said.textContent =
        captcha && !facts.double_opt_in
          ? t({ ja: 'ご登録ありがとうございます。', en: 'Thank you for signing up.' }, 'sign_up_done')
          : t(kit.texts.confirm)
    } catch (error) {
      said.textContent = kit.why(
        error,
        { ja: '登録できませんでした。もう一度お試しください。', en: 'That failed. Please try again.' },
        { wording_changed: { ja: 'ページを再読み込みしてください。', en: 'Please reload the page.' } },
      )
    }
    button.disabled = false
  }
  kit.shadow(place, CSS).append(form)
}
