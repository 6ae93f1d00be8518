import { useState } from 'preact/hooks'
import type { CallError, Calls } from './calls.ts'
import { shopify } from './platform.ts'
import { language, own, Said, type Status, why } from './words.tsx'

export interface OwnBirthday {
  birthday: string | null
  changes_left: number
}

/** Year 1004: only month and day are known. */
const shown = (day: string): string =>
  new Intl.DateTimeFormat(language(), {
    ...(day.startsWith('1004') ? {} : { year: 'numeric' }),
    month: 'long',
    day: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(`${day}T00:00Z`))

const isWrong = ({ fields }: CallError): boolean => 'birthday' in fields

export function Birthday({ calls, first }: { calls: Calls; first: OwnBirthday }) {
  const { translate } = shopify.i18n
  const [{ birthday, changes_left }, setNow] = useState(first)
  const [isAsking, setAsking] = useState(first.birthday === null)
  const [typed, setTyped] = useState(birthday?.startsWith('1004') ? '' : (birthday ?? ''))
  const [isBusy, setBusy] = useState(false)
  const [wrong, setWrong] = useState('')
  const [said, setSaid] = useState<Status>(null)
  const label = own(calls.entered.texts['birthday_label'], translate('birthday.label'))

  const save = async (): Promise<void> => {
    if (isBusy) return
    setWrong('')
    setSaid(null)
    if (typed === '') return setWrong(translate('birthday.wrong'))
    setBusy(true)
    try {
      const { birthday: now } = await calls.call<{ birthday: OwnBirthday }>('PUT', '/birthday', { birthday: typed })
      setNow(now)
      setAsking(false)
      setSaid({ tone: 'success', text: translate('saved') })
    } catch (error) {
      if (isWrong(error as CallError)) setWrong(translate('birthday.wrong'))
      else setSaid({ tone: 'critical', text: why(error as CallError) })
    }
    setBusy(false)
  }

  if (!isAsking && birthday !== null)
    return (
      <s-stack gap="small">
        <s-heading>{label}</s-heading>
        <s-stack direction="inline" gap="base" alignItems="center">
          <s-text>{shown(birthday)}</s-text>
          {changes_left > 0 && (
            <s-button variant="secondary" onClick={() => (setSaid(null), setAsking(true))}>
              {translate('birthday.change')}
            </s-button>
          )}
        </s-stack>
        <Said status={said} />
      </s-stack>
    )
  return (
    <s-form onSubmit={() => void save()}>
      <s-stack gap="small">
        <s-date-field
          label={label}
          name="birthday"
          autocomplete="bday"
          value={typed}
          required
          error={wrong}
          allow={`1900-01-01--${new Date().toISOString().slice(0, 10)}`}
          onChange={(event) => setTyped((event.currentTarget as unknown as { value: string }).value)}
        />
        {birthday !== null && <s-text color="subdued">{translate('birthday.left', { count: changes_left })}</s-text>}
        <s-button type="submit" variant="secondary" loading={isBusy}>
          {own(calls.entered.texts['birthday_save'], translate('birthday.save'))}
        </s-button>
        <Said status={said} />
      </s-stack>
    </s-form>
  )
}
