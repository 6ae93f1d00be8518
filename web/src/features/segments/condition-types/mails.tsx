import type { MailsValue } from '@okaeri/contract/segments/condition'
import { channelOfMails } from '@okaeri/contract/segments/condition-types/mails'
import { useWords } from '../../../app/i18n.ts'
import { NamedPicker } from '../editor/pickers.tsx'
import { AnyOf, CountedWithin, objectOf, type ValueProps, DEFAULT_DAYS, emptyCount } from '../editor/value-parts.tsx'
import type { EditedType } from './edited-type.ts'

/** How many messages of a channel were received, opened or clicked, of which campaigns, and when. */
function Value(props: ValueProps) {
  const { leaf, name, names, errorAt, onChange } = props
  const t = useWords('segments')
  const given = objectOf(leaf.value) as Partial<MailsValue>
  const { campaigns = null, window = null } = given
  const channel = channelOfMails(leaf.name)
  const put = (change: object) => onChange({ campaigns, window, value: given.value ?? 1, ...change })
  const which = (
    <AnyOf
      label={`${name}: ${t('editor.pick.campaigns')}`}
      any={t(`editor.anyCampaign.${channel}`)}
      some={t('editor.someCampaigns')}
      value={campaigns}
      onChange={(ids) => put({ campaigns: ids })}
    >
      {(ids) => (
        <NamedPicker
          kind="campaigns"
          label={`${name}: ${t('editor.campaigns')}`}
          placeholder={t('editor.pick.campaigns')}
          names={names}
          value={ids}
          error={errorAt('.campaigns')}
          onChange={(next) => put({ campaigns: next })}
        />
      )}
    </AnyOf>
  )
  const unit = t(`editor.mailsUnit.${channel}`)
  return <CountedWithin {...props} given={{ value: given.value, window }} which={which} unit={unit} put={put} />
}

export const mails: EditedType = {
  Value,
  empty: (operator) => ({ value: emptyCount(operator), campaigns: null, window: { within_days: DEFAULT_DAYS } }),
  isSentence: true,
}
