import type { Kit } from '../kit.ts'

interface Birthday {
  birthday: string | null
  changes_left: number
}
type Answer = { birthday: Birthday } | null

const PATH = '/shopify/proxy/birthday'
const CSS =
  'form{display:flex;flex-wrap:wrap;gap:8px;align-items:end}label{display:grid;gap:4px}p{margin:4px 0 0;min-height:1.4em;font-size:.9em}.k{display:grid;gap:4px}.k>b{display:flex;align-items:center;gap:8px;min-height:44px;font-weight:400}.link{padding:0 4px;border:0;text-decoration:underline}'

/** On the account page: the customer's own birthday. Nothing for a guest. */
export function mount(place: Element, kit: Kit): void {
  if (kit.page.customerId === null) return
  const { el, t } = kit
  const root = kit.shadow(place, CSS)
  const said = el('p', { role: 'status' })
  const box = el('div')
  const say = (text: string): void => void (said.textContent = text)
  const wrong = { ja: '日付を確認してください。', en: 'Please check the date.' }
  /** Year 1004: only month and day are known. */
  const shown = (day: string): string =>
    new Intl.DateTimeFormat(kit.page.language, {
      ...(day.startsWith('1004') ? {} : { year: 'numeric' }),
      month: 'long',
      day: 'numeric',
      timeZone: 'UTC',
    }).format(new Date(`${day}T00:00Z`))

  const show = (now: Birthday): void => {
    const { birthday, changes_left } = now
    if (birthday === null) return ask(now)
    box.replaceChildren(
      // As high as the form.
      el(
        'div',
        { class: 'k' },
        t({ ja: '誕生日', en: 'Birthday' }),
        el(
          'b',
          {},
          shown(birthday),
          changes_left > 0
            ? el('button', { class: 'link', type: 'button', click: () => ask(now) }, t({ ja: '変更', en: 'Change' }))
            : null,
        ),
      ),
    )
  }
  const ask = ({ birthday, changes_left }: Birthday): void => {
    const input = el('input', {
      type: 'date',
      required: true,
      max: new Date().toISOString().slice(0, 10),
      min: '1900-01-01',
      value: birthday?.startsWith('1004') ? null : birthday,
    })
    const button = el('button', {}, t({ ja: '保存する', en: 'Save' }, 'birthday_save'))
    const save = async (event: Event): Promise<void> => {
      event.preventDefault()
      button.disabled = true
      say(t({ ja: '保存しています…', en: 'Saving…' }))
      try {
        const answer = await kit.proxy<NonNullable<Answer>>('PUT', PATH, { birthday: input.value })
        if (answer) show(answer.birthday)
        say(t(kit.texts.saved))
      } catch (error) {
        say(
          kit.why(error, kit.texts.not_saved, {
            in_future: wrong,
            too_long_ago: wrong,
            not_a_date: wrong,
            birthday_changes_used_up: {
              ja: '誕生日は、これ以上変更できません。',
              en: 'The birthday cannot be changed again.',
            },
          }),
        )
      }
      button.disabled = false
    }
    box.replaceChildren(
      el(
        'form',
        { submit: (event) => void save(event) },
        el('label', {}, t({ ja: '誕生日', en: 'Birthday' }, 'birthday_label'), input),
        button,
      ),
    )
    if (birthday !== null) {
      say(
        t({
          ja: `あと${changes_left}回変更できます。`,
          en: `You can change it ${changes_left} more time${changes_left === 1 ? '' : 's'}.`,
        }),
      )
      input.focus()
    }
  }
  kit
    .once(PATH, () => kit.proxy<NonNullable<Answer>>('GET', PATH))
    .then(
      (answer) => {
        if (!answer) return
        show(answer.birthday)
        root.append(box, said)
      },
      () => undefined,
    )
}
