import { Button, Group, Menu, Stack, Text } from '@mantine/core'
import { MAX_CHOSEN, type ProductChoice, productChoiceTag, productRules } from '@okaeri/contract/emails/product-rule'
import { listSegments } from '@okaeri/contract/segments/routes'
import { IconStack2 } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { call } from '../../../api/call.ts'
import { useWords } from '../../../app/i18n.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { SearchSelect } from '../../../ui/search-select.tsx'
import { findProducts } from './product-choices.ts'
import { AmountField, ChoiceField, SelectField, SwitchField } from '../visual-editor/fields.tsx'

const CHOICES = 20
const kinds = ['product', 'only_for', 'except_for', 'products_by', 'event_items', 'coupon'] as const
type Kind = (typeof kinds)[number]

const card = `<p>
  <a href="{{ product.url }}"><img src="{{ product.image_url }}" alt="{{ product.title }}" width="240"></a><br>
  {{ product.title }} {{ product.price }}
</p>`
/** What needs no choice. */
const ready: Partial<Record<Kind, string>> = {
  event_items: `{% for line in event.lines limit: 20 %}
<p>{{ line.title }} × {{ line.quantity }} {{ line.price }}</p>
{% endfor %}
<p>{{ event.total }}</p>`,
  coupon: `<p><strong>{{ coupon.code }}</strong> {{ coupon.ratio }}%OFF<br>
{{ coupon.condition }} {{ coupon.expires_at }}</p>`,
}
const firstChoice: ProductChoice = {
  rule: 'best_sold',
  count: 3,
  otherwise: 'best_sold',
  leavesOutBought: false,
  excludedIds: [],
}

/** Blocks that are filled when a mail is sent, written for the code editor. */
export function BlockMenu({ insert }: { insert: (text: string) => void }) {
  const t = useWords('emails')
  const ui = useWords('ui')
  const d = useWords('design')
  const [asked, setAsked] = useState<Kind | null>(null)
  const [id, setId] = useState<string | null>(null)
  const [choice, setChoice] = useState(firstChoice)
  // Only once what was open has let go of the focus may the editor take it.
  const [written, setWritten] = useState<string | null>(null)
  const put = () => {
    if (written !== null) insert(written)
    setWritten(null)
  }
  const text = asked === null ? null : writtenAs(asked, id, choice)
  return (
    <>
      <Menu position="bottom-end" shadow="md" returnFocus={false} onExitTransitionEnd={put}>
        <Menu.Target>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconStack2 size={16} aria-hidden />}
            title={t('blockMenu.help')}
          >
            {t('blockMenu.insert')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown w={300}>
          {kinds.map((kind) => (
            <Menu.Item
              key={kind}
              onClick={() => {
                const done = ready[kind]
                if (done !== undefined) return setWritten(done)
                setId(null)
                setChoice(firstChoice)
                setAsked(kind)
              }}
            >
              {t(`blockMenu.${kind}.name`)}
              <Text size="xs" c="dimmed">
                {t(`blockMenu.${kind}.what`)}
              </Text>
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Dialog
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title={asked === null ? '' : t(`blockMenu.${asked}.name`)}
        onExitTransitionEnd={put}
      >
        <Stack>
          {asked !== null && (
            <Choosing kind={asked} id={id} setId={setId}>
              <SelectField
                label={d('field.rule')}
                choices={productRules.map((value) => ({ value, label: d(`rules.${value}`) }))}
                value={choice.rule}
                onChange={(rule) => setChoice({ ...choice, rule })}
              />
              <Text size="xs" c="dimmed">
                {d(`ruleHelp.${choice.rule}`)} {d('ruleAlways')}
              </Text>
              <AmountField
                label={d('field.ruleCount')}
                value={choice.count}
                min={1}
                max={MAX_CHOSEN}
                said={String}
                onChange={(count) => setChoice({ ...choice, count })}
              />
              <ChoiceField
                label={d('field.otherwise')}
                choices={[
                  { value: 'best_sold', label: d('field.otherwiseBestSold') },
                  { value: 'nothing', label: d('field.otherwiseNothing') },
                ]}
                value={choice.otherwise}
                onChange={(otherwise) => setChoice({ ...choice, otherwise })}
              />
              <SwitchField
                label={d('field.leavesOutBought')}
                value={choice.leavesOutBought}
                onChange={(leavesOutBought) => setChoice({ ...choice, leavesOutBought })}
              />
            </Choosing>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setAsked(null)}>
              {ui('cancel')}
            </Button>
            <Button
              disabled={text === null}
              onClick={() => {
                setWritten(text)
                setAsked(null)
              }}
            >
              {t('blockMenu.confirm')}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  )
}

interface ChoosingProps {
  kind: Kind
  id: string | null
  setId: (id: string | null) => void
  /** What is asked of a rule. */
  children: ReactNode
}
function Choosing({ kind, id, setId, children }: ChoosingProps) {
  const d = useWords('design')
  if (kind === 'products_by') return children
  if (kind === 'product')
    return (
      <SearchSelect
        label={d('field.products')}
        area="data"
        among="products-of-block"
        value={id}
        onChange={setId}
        find={(q) => findProducts(q, d('field.notOnSale'))}
      />
    )
  return (
    <SearchSelect
      label={d('field.segment')}
      placeholder={d('field.segmentPlaceholder')}
      value={id}
      onChange={setId}
      area={listSegments.area}
      among="of-block"
      find={async (q) =>
        (await call(listSegments, { query: { limit: CHOICES, ...(q && { q }) } })).data.map((segment) => ({
          value: segment.id,
          label: segment.name,
        }))
      }
    />
  )
}

/** Null while something has to be chosen. */
function writtenAs(kind: Kind, id: string | null, choice: ProductChoice): string | null {
  if (kind === 'products_by') return `${productChoiceTag(choice)}\n${card}\n{% endproducts_by %}`
  if (id === null) return null
  return `{% ${kind} "${id}" %}\n${kind === 'product' ? card : '<p></p>'}\n{% end${kind} %}`
}
