import type { CallError, Kit } from '../kit.ts'

interface Facts {
  wording: { ja: string; en: string }
  double_opt_in: boolean
}
interface Challenge {
  parameters: { nonce: string; salt: string; cost: number; keyLength: number; keyPrefix: string }
}

const CSS =
  'form{display:grid;gap:8px;max-width:460px}div{display:flex;gap:8px}label{font-weight:600}input{flex:1;min-width:0}button{white-space:nowrap}p{margin:0;font-size:.85em}[role=status]{min-height:2.8em}'

const bytes = (hex: string): number[] => hex.match(/../g)?.map((pair) => parseInt(pair, 16)) ?? []

/** About a second's work, so that a program cannot sign up thousands. Null where the browser cannot: then a link is mailed. */
async function solve(challenge: Challenge): Promise<string | null> {
  const { subtle } = crypto
  if (!subtle) return null
  const { nonce, salt, cost, keyLength, keyPrefix } = challenge.parameters
  for (let counter = 0; counter < 1e5; counter += 1) {
    const password = new Uint8Array([...bytes(nonce), counter >>> 24, counter >>> 16, counter >>> 8, counter])
    const key = await subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits'])
    const how = { name: 'PBKDF2', hash: 'SHA-256', salt: new Uint8Array(bytes(salt)), iterations: cost }
    const derived = [...new Uint8Array(await subtle.deriveBits(how, key, keyLength * 8))]
    const derivedKey = derived.map((byte) => byte.toString(16).padStart(2, '0')).join('')
    if (derivedKey.startsWith(keyPrefix)) return btoa(JSON.stringify({ challenge, solution: { counter, derivedKey } }))
  }
  return null
}

/** In the footer: a visitor asks for the newsletter. */
export function mount(place: Element, kit: Kit): void {
  const facts = kit.settings.facts['consent'] as Facts | undefined
  if (!facts) return
  const { el, t } = kit
  const wording = facts.wording[kit.page.language]
  const input = el('input', { type: 'email', id: 'e', name: 'email', autocomplete: 'email', required: true })
  const button = el('button', {}, t({ ja: '登録する', en: 'Sign up' }, 'sign-up.button'))
  const said = el('p', { role: 'status' })
  const form = el(
    'form',
    { submit: (event) => void send(event) },
    el('label', { for: 'e' }, t({ ja: 'メールアドレス', en: 'Email address' }, 'sign-up.label')),
    el('div', {}, input, button),
    el('p', {}, wording),
    said,
  )
  const send = async (event: Event): Promise<void> => {
    event.preventDefault()
    button.disabled = true
    said.textContent = t({ ja: '登録しています…', en: 'Signing up…' })
    try {
      const challenge = facts.double_opt_in ? null : await kit.call<Challenge>('POST', '/frontend/captcha')
      const captcha = challenge && (await solve(challenge))
      await kit.call('POST', '/frontend/email/sign_up', {
        email: input.value,
        wording,
        language: kit.page.language,
        page: location.href.slice(0, 2000),
        ...(captcha ? { captcha } : {}),
      })
      input.value = ''
      said.textContent = captcha
        ? t({ ja: 'ご登録ありがとうございます。', en: 'Thank you for signing up.' }, 'sign-up.done')
        : t({
            ja: '確認メールをお送りします。メールのリンクを開いて、登録を完了してください。',
            en: 'We are sending you an email. Open the link in it to complete your sign-up.',
          })
    } catch (error) {
      const { fields, reason } = error as CallError
      said.textContent = fields['email']
        ? t({ ja: 'メールアドレスを確認してください。', en: 'Please check the email address.' })
        : reason === 'rate_limited'
          ? t({ ja: 'しばらくしてからお試しください。', en: 'Please try again later.' })
          : t({
              ja: '登録できませんでした。再読み込みしてお試しください。',
              en: 'That failed. Please reload and try again.',
            })
    }
    button.disabled = false
  }
  kit.shadow(place, CSS).append(form)
}
