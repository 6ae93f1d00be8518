import { ActionIcon, Select } from '@mantine/core'
import type { StoreValueField } from '@okaeri/contract/catalog/routes'
import { type OrderedValue, type OrderFilter, orderFilterKeys } from '@okaeri/contract/segments/condition'
import type { ReferenceKind } from '@okaeri/contract/segments/condition-types/condition-type'
import { IconX } from '@tabler/icons-react'
import { useLanguage, useWords } from '../../../app/i18n.ts'
import classes from '../editor/condition-editor.module.css'
import { grammar } from '../editor/editor-words.ts'
import { NamedPicker, TextsField } from '../editor/pickers.tsx'
import {
  Amount,
  OperatorAndValue,
  objectOf,
  useMoneyUnit,
  type ValueProps,
  WindowOf,
  DEFAULT_DAYS,
  emptyCount,
} from '../editor/value-parts.tsx'
import type { EditedType } from './edited-type.ts'

const RemoveFilter = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <ActionIcon variant="subtle" color="gray" size="sm" aria-label={label} onClick={onClick}>
    <IconX size={14} />
  </ActionIcon>
)

const namedFilters: Partial<Record<keyof OrderFilter, ReferenceKind>> = {
  products: 'products',
  variants: 'variants',
  collections: 'collections',
}
const writtenFilters: Partial<Record<keyof OrderFilter, StoreValueField>> = {
  vendors: 'vendor',
  product_tags: 'product_tag',
  order_tags: 'order_tag',
  discount_codes: 'discount_code',
}

/** How much was ordered, of what, and when. */
function Value(props: ValueProps) {
  const { leaf, name, names, operator, errorAt, onChange, operatorInput } = props
  const t = useWords('segments')
  const language = useLanguage()
  const given = objectOf(leaf.value) as Partial<OrderedValue>
  const { measure = 'count', filter = {}, window = null } = given
  const put = (change: object) => onChange({ measure, filter, window, value: given.value ?? 1, ...change })
  const used = orderFilterKeys.filter((key) => filter[key] !== undefined)
  const free = orderFilterKeys.filter((key) => filter[key] === undefined)
  const money = useMoneyUnit()
  const windowField = <WindowOf {...props} value={window} onChange={(next) => put({ window: next })} />
  const filters = (
    <>
      {used.map((key) => {
        const kind = namedFilters[key]
        const label = `${name}: ${t(`editor.filter.${key}`)}`
        const change = (values: string[]) => put({ filter: { ...filter, [key]: values } })
        const shared = { label, value: filter[key] ?? [], error: errorAt(`.filter.${key}`), onChange: change }
        return (
          <div key={key} className={classes.filter}>
            <span className={classes.word}>{t(`editor.filter.${key}`)}</span>
            {kind ? (
              <NamedPicker
                kind={kind}
                placeholder={t(`editor.pick.${key}` as 'editor.pick.products')}
                names={names}
                {...shared}
              />
            ) : (
              <TextsField placeholder={t('editor.texts')} suggest={writtenFilters[key]} {...shared} />
            )}
            <RemoveFilter
              label={t('editor.removeFilter', { name, filter: t(`editor.filter.${key}`) })}
              onClick={() =>
                put({ filter: Object.fromEntries(Object.entries(filter).filter(([each]) => each !== key)) })
              }
            />
          </div>
        )
      })}
      {free.length > 0 && (
        <Select
          className={classes.add}
          size="sm"
          variant="unstyled"
          aria-label={`${name}: ${t('editor.addFilter')}`}
          placeholder={t('editor.addFilter')}
          data={free.map((key) => ({ value: key, label: t(`editor.filter.${key}`) }))}
          value={null}
          onChange={(key) => key && put({ filter: { ...filter, [key]: [] } })}
        />
      )}
    </>
  )
  const counted = (
    <>
      <span className={classes.word}>{t('editor.ordered.of')}</span>
      <Select
        className={classes.choice}
        size="sm"
        aria-label={`${name}: ${t('editor.measure.label')}`}
        data={(['count', 'amount', 'quantity'] as const).map((each) => ({
          value: each,
          label: t(`editor.measure.${each}`),
        }))}
        value={measure}
        onChange={(chosen) => put({ measure: chosen })}
      />
      <span className={classes.word}>{t('editor.ordered.is')}</span>
      <OperatorAndValue operatorInput={operatorInput}>
        <Amount
          label={`${name}: ${t('editor.value')}`}
          operator={operator}
          value={given.value}
          wide={measure === 'amount'}
          errorAt={errorAt}
          onChange={(value) => put({ value })}
        />
        <span className={classes.word}>{measure === 'amount' ? money : grammar.unit[measure][language]}</span>
      </OperatorAndValue>
    </>
  )
  return language === 'ja' ? (
    <>
      {windowField}
      {filters}
      {counted}
    </>
  ) : (
    <>
      {filters}
      {counted}
      {windowField}
    </>
  )
}

export const ordered: EditedType = {
  Value,
  empty: (operator) => ({
    measure: 'count',
    value: emptyCount(operator),
    filter: {},
    window: { within_days: DEFAULT_DAYS },
  }),
  isSentence: true,
}
