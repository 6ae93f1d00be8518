import { Group, Stack, Text } from '@mantine/core'
import { listProducts } from '@okaeri/contract/catalog/routes'
import type { Block } from '@okaeri/contract/emails/design'
import { MAX_CHOSEN, MAX_EXCLUDED, productRules } from '@okaeri/contract/emails/product-rule'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { queryOf } from '../../../api/queries.ts'
import { useWords } from '../../../app/i18n.ts'
import { SearchSelect } from '../../../ui/search-select.tsx'
import { findProducts, isOnSale } from '../editor/product-choices.ts'
import { AmountField, ChoiceField, IconButton, SelectField, SwitchField, TextField } from './fields.tsx'

interface FormOf<Kind extends Block['kind']> {
  block: Extract<Block, { kind: Kind }>
  onChange: (change: Partial<Extract<Block, { kind: Kind }>>) => void
}

export function ProductsForm({ block, onChange }: FormOf<'products'>) {
  const t = useWords('design')
  return (
    <>
      <ProductList
        label={t('field.addProduct')}
        ids={block.product_ids}
        max={12}
        none={t('field.noProducts')}
        onChange={(product_ids) => onChange({ product_ids })}
      />
      <div>
        <ChoiceField
          label={t('field.asOf')}
          choices={[
            { value: 'sending', label: t('field.asOfSending') },
            { value: 'saving', label: t('field.asOfSaving') },
          ]}
          value={block.as_of}
          onChange={(as_of) => onChange({ as_of })}
        />
        <Text size="xs" c="dimmed" mt={4}>
          {t(block.as_of === 'sending' ? 'field.asOfSendingHelp' : 'field.asOfSavingHelp')}
        </Text>
      </div>
      {block.as_of === 'sending' && (
        <ChoiceField
          label={t('field.soldOut')}
          choices={[
            { value: 'shown', label: t('field.soldOutShown') },
            { value: 'left_out', label: t('field.soldOutLeftOut') },
          ]}
          value={block.sold_out}
          onChange={(sold_out) => onChange({ sold_out })}
        />
      )}
      <CardFields block={block} onChange={onChange}>
        {block.as_of === 'sending' && (
          <SwitchField
            label={t('field.showsStock')}
            value={block.shows_stock}
            onChange={(shows_stock) => onChange({ shows_stock })}
          />
        )}
      </CardFields>
    </>
  )
}

interface ProductListProps {
  /** The label of the field that adds one. */
  label: string
  ids: readonly string[]
  max: number
  /** Said where there is none. */
  none?: string
  onChange: (ids: string[]) => void
}
export function ProductList({ label, ids, max, none, onChange }: ProductListProps) {
  const t = useWords('design')
  const { data } = useQuery({
    ...queryOf(listProducts, { query: { ids: ids.join(','), limit: 50 } }),
    enabled: ids.length > 0,
  })
  const productOf = (id: string) => data?.data.find((product) => product.id === id)
  const titleOf = (id: string) => productOf(id)?.title ?? '…'
  const isGone = (id: string) => {
    const product = productOf(id)
    return product !== undefined && !isOnSale(product)
  }
  return (
    <Stack gap={6}>
      <SearchSelect
        label={label}
        area="data"
        among="products-of-block"
        value={null}
        disabled={ids.length >= max}
        onChange={(id) => id !== null && !ids.includes(id) && onChange([...ids, id])}
        find={(q) => findProducts(q, t('field.notOnSale'))}
      />
      {ids.length === 0 && none !== undefined && (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      )}
      {ids.map((id) => (
        <Group key={id} justify="space-between" wrap="nowrap">
          <div style={{ minWidth: 0 }}>
            <Text size="sm" truncate>
              {titleOf(id)}
            </Text>
            {isGone(id) && (
              <Text size="xs" c="var(--mantine-color-error)">
                {t('field.notOnSale')}
              </Text>
            )}
          </div>
          <IconButton
            label={t('field.removeProduct', { name: titleOf(id) })}
            onClick={() => onChange(ids.filter((one) => one !== id))}
          >
            <IconTrash size={16} aria-hidden />
          </IconButton>
        </Group>
      ))}
    </Stack>
  )
}

interface Cards {
  columns: number
  shows_price: boolean
  button: string
}
/** How products look. */
function CardFields({
  block,
  onChange,
  children,
}: {
  block: Cards
  onChange: (change: Partial<Cards>) => void
  children?: ReactNode
}) {
  const t = useWords('design')
  return (
    <>
      <ChoiceField
        label={t('field.perRow')}
        choices={(['1', '2', '3'] as const).map((value) => ({ value, label: value }))}
        value={String(block.columns) as '1' | '2' | '3'}
        onChange={(columns) => onChange({ columns: Number(columns) })}
      />
      <SwitchField
        label={t('field.showsPrice')}
        value={block.shows_price}
        onChange={(shows_price) => onChange({ shows_price })}
      />
      {children}
      <TextField
        label={t('field.productButton')}
        max={60}
        value={block.button}
        onChange={(button) => onChange({ button })}
      />
    </>
  )
}

/** What a rule chooses when the mail is sent. */
export function RuleForm({ block, onChange }: FormOf<'product_rule'>) {
  const t = useWords('design')
  return (
    <>
      <div>
        <SelectField
          label={t('field.rule')}
          choices={productRules.map((value) => ({ value, label: t(`rules.${value}`) }))}
          value={block.rule}
          onChange={(rule) => onChange({ rule })}
        />
        <Text size="xs" c="dimmed" mt={4}>
          {t(`ruleHelp.${block.rule}`)} {t('ruleAlways')}
        </Text>
      </div>
      <AmountField
        label={t('field.ruleCount')}
        value={block.count}
        min={1}
        max={MAX_CHOSEN}
        said={String}
        onChange={(count) => onChange({ count })}
      />
      {block.rule !== 'best_sold' && (
        <ChoiceField
          label={t('field.otherwise')}
          choices={[
            { value: 'best_sold', label: t('field.otherwiseBestSold') },
            { value: 'nothing', label: t('field.otherwiseNothing') },
          ]}
          value={block.otherwise}
          onChange={(otherwise) => onChange({ otherwise })}
        />
      )}
      <SwitchField
        label={t('field.leavesOutBought')}
        value={block.leaves_out_bought}
        onChange={(leaves_out_bought) => onChange({ leaves_out_bought })}
      />
      <CardFields block={block} onChange={onChange}>
        <SwitchField
          label={t('field.showsStock')}
          value={block.shows_stock}
          onChange={(shows_stock) => onChange({ shows_stock })}
        />
      </CardFields>
      <ProductList
        label={t('field.excluded')}
        ids={block.excluded_ids}
        max={MAX_EXCLUDED}
        onChange={(excluded_ids) => onChange({ excluded_ids })}
      />
    </>
  )
}
