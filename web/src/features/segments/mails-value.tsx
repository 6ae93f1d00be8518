import type { MailsValue } from '@okaeri/contract/segments/condition'
import { useLanguage, useWords } from '../../app/i18n.ts'
import classes from './condition-editor.module.css'
import { NamedPicker } from './pickers.tsx'
import { Amount, AnyOf, Compared, objectOf, type ValueProps, WindowOf } from './value-parts.tsx'

/** How many mails of which campaigns were received, opened or clicked, and when. */
export function MailsValueInput(props: ValueProps) {
  const { leaf, name, names, operator, errorAt, onChange, operatorInput } = props
  const t = useWords('segments')
  const language = useLanguage()
  const given = objectOf(leaf.value) as Partial<MailsValue>
  const { campaigns = null, window = null } = given
  const put = (change: object) => onChange({ campaigns, window, value: given.value ?? 1, ...change })
  const windowField = <WindowOf {...props} value={window} onChange={(next) => put({ window: next })} />
  const which = (
    <AnyOf
      label={`${name}: ${t('editor.pick.campaigns')}`}
      any={t('editor.anyCampaign')}
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
  const counted = (
    <Compared operatorInput={operatorInput}>
      <Amount
        label={`${name}: ${t('editor.value')}`}
        operator={operator}
        value={given.value}
        errorAt={errorAt}
        onChange={(value) => put({ value })}
      />
      <span className={classes.word}>{t('editor.mailsUnit')}</span>
    </Compared>
  )
  return language === 'ja' ? (
    <>
      {windowField}
      {which}
      {counted}
    </>
  ) : (
    <>
      {counted}
      {which}
      {windowField}
    </>
  )
}
