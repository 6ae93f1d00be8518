import { Select } from '@mantine/core'
import type { ThingsValue } from '@okaeri/contract/segments/condition'
import { useLanguage, useWords } from '../../../app/i18n.ts'
import classes from '../editor/condition-editor.module.css'
import { NumberField } from '../editor/number-field.tsx'
import { NamedPicker } from '../editor/pickers.tsx'
import { AnyOf, objectOf, useMoneyUnit, type ValueProps, WindowOf } from '../editor/value-parts.tsx'
import type { EditedType } from './edited-type.ts'

/** Carts, favorites etc.: which products, what amount, and when. */
function Value(props: ValueProps) {
  const { leaf, field, name, names, errorAt, onChange, operatorInput } = props
  const t = useWords('segments')
  const language = useLanguage()
  const money = useMoneyUnit()
  const given = objectOf(leaf.value) as Partial<ThingsValue>
  const { products = null, min_amount = null, window = null } = given
  const put = (change: object) => onChange({ products, min_amount, window, ...change })
  const windowField = <WindowOf {...props} value={window} onChange={(next) => put({ window: next })} />
  const about = (
    <>
      <AnyOf
        label={`${name}: ${t('editor.pick.products')}`}
        any={t('editor.anyProduct')}
        some={t('editor.someProducts')}
        value={products}
        onChange={(ids) => put({ products: ids })}
      >
        {(ids) => (
          <NamedPicker
            kind="products"
            label={`${name}: ${t('editor.filter.products')}`}
            placeholder={t('editor.pick.products')}
            names={names}
            value={ids}
            error={errorAt('.products')}
            onChange={(next) => put({ products: next })}
          />
        )}
      </AnyOf>
      {field.has_amount && (
        <>
          <Select
            className={classes.choice}
            size="sm"
            aria-label={`${name}: ${t('editor.amount')}`}
            data={[
              { value: 'any', label: t('editor.anyAmount') },
              { value: 'min', label: t('editor.minAmount') },
            ]}
            value={min_amount === null ? 'any' : 'min'}
            onChange={(chosen) => put({ min_amount: chosen === 'min' ? 5000 : null })}
          />
          {min_amount !== null && (
            <>
              <NumberField
                label={`${name}: ${t('editor.minAmount')}`}
                value={min_amount}
                wide
                error={errorAt('.min_amount')}
                onChange={(amount) => put({ min_amount: amount ?? '' })}
              />
              <span className={classes.word}>
                {money} {t('editor.orMore')}
              </span>
            </>
          )}
        </>
      )}
    </>
  )
  return language === 'ja' ? (
    <>
      {windowField}
      {about}
      {operatorInput}
    </>
  ) : (
    <>
      {operatorInput}
      {about}
      {windowField}
    </>
  )
}

export const things: EditedType = {
  Value,
  empty: () => ({ products: null, min_amount: null, window: { within_days: 30 } }),
  isSentence: true,
  ofOneField: true,
  operatorWords: { has: 'things_has', has_not: 'things_has_not' },
}
