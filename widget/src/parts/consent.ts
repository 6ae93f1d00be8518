import type { Kit } from '../kit.ts'

interface Answer {
  marketing: { accepts_marketing: boolean; wording_ja: string; wording_en: string }
}

const PATH = '/frontend/accepts-marketing/'
const CSS =
  'label{display:flex;gap:10px;align-items:flex-start;min-height:44px;cursor:pointer}input{width:20px;height:20px;min-height:0;margin:.1em 0 0;flex:none;color:inherit;outline-offset:2px;accent-color:var(--accent)}p{margin:4px 0 0;min-height:1.4em;font-size:.9em}'

/** On the account page and after checkout: the signed-in customer's marketing permission, as it is. Never checked beforehand. */
export function mount(place: Element, kit: Kit): void {
  if (kit.page.customerId === null) return
  const { el, t } = kit
  const root = kit.shadow(place, CSS)
  const input = el('input', { type: 'checkbox' })
  const text = el('span')
  const said = el('p', { role: 'status' })
  const take = ({ marketing }: Answer): void => {
    input.checked = marketing.accepts_marketing
    text.textContent = t({ ja: marketing.wording_ja, en: marketing.wording_en })
  }
  const choose = async (): Promise<void> => {
    const accepts_marketing = input.checked
    input.disabled = true
    said.textContent = ''
    try {
      const answer = await kit.call<Answer>('POST', PATH, {
        accepts_marketing,
        wording: text.textContent,
        language: kit.page.language,
        page: location.href.slice(0, 2000),
      })
      if (answer) {
        take(answer)
        kit.tell('consent', answer)
      }
      said.textContent = t(kit.texts.saved)
    } catch (error) {
      input.checked = !accepts_marketing
      said.textContent = kit.why(error, kit.texts.not_saved, {
        wording_changed: {
          ja: '内容が更新されました。ページを再読み込みしてください。',
          en: 'This has changed. Please reload.',
        },
      })
    }
    input.disabled = false
  }
  input.addEventListener('change', () => void choose())
  kit.listen('consent', (answer) => take(answer as Answer))
  kit
    .once(PATH, () => kit.call<Answer>('GET', PATH))
    .then(
      (answer) => {
        if (!answer) return
        take(answer)
        root.append(el('label', {}, input, text), said)
      },
      () => undefined,
    )
}
