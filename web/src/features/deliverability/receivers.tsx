import { Anchor, Stack, Text, Title } from '@mantine/core'
import { OTHERS, type ReceiverFigures } from '@okaeri/contract/deliverability/routes'
import type { ReactNode } from 'react'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { type Column, Records } from '../../ui/pages/records.tsx'
import { useReceiverName } from '../deliveries/receiver-name.ts'
import classes from './receivers.module.css'

/** What people call a receiver. */
export function useReceiverOrOthers(): (receiver: string) => string {
  const t = useWords('deliverability')
  const name = useReceiverName()
  return (receiver) => (receiver === OTHERS ? t('others') : name(receiver))
}

type Row = ReceiverFigures & {
  usual?: Pick<ReceiverFigures, 'refused_rate' | 'hard_rate' | 'complaint_rate' | 'open_rate' | 'click_rate'> | null
}

const bounceKinds = ['hard', 'soft', 'blocked'] as const

interface ReceiversProps {
  receivers: readonly Row[]
  /** A campaign's: how fast it went to each, and what is still to be sent. */
  isCampaign: boolean
}

/** What came of mails by who takes them, and what their servers said last. */
export function Receivers({ receivers, isCampaign }: ReceiversProps) {
  const t = useWords('deliverability')
  const format = useFormat()
  const name = useReceiverOrOthers()
  const count = (value: number, rate: number | null, usual?: number | null) => (
    <Cell
      value={format.number(value)}
      more={[
        value > 0 && rate !== null ? format.decimalPercent(rate) : null,
        usual === undefined || usual === null ? null : t('usual', { value: format.decimalPercent(usual) }),
      ]}
    />
  )
  const column = (
    accessor: string,
    title: string,
    render: (row: Row) => ReactNode,
    more: Partial<Column<Row & { id: string }>> = {},
  ) => ({
    accessor,
    title,
    textAlign: 'right' as const,
    width: 110,
    render,
    ...more,
  })
  return (
    <Stack gap="md">
      <Records<Row & { id: string }>
        dense
        records={receivers.map((row) => ({ ...row, id: row.receiver }))}
        rowName={({ receiver }) => name(receiver)}
        columns={[
          { accessor: 'receiver', title: t('receiver'), render: ({ receiver }) => name(receiver) },
          column('sent', t('sent'), (row) => (
            <Cell
              value={format.number(row.sent)}
              more={[
                row.waiting > 0 ? t('waiting', { n: format.number(row.waiting) }) : null,
                row.uncertain > 0 ? t('uncertain', { n: format.number(row.uncertain) }) : null,
                row.failed > 0 ? t('failed', { n: format.number(row.failed) }) : null,
              ]}
            />
          )),
          column('refused', t('rejected'), (row) => count(row.refused, row.refused_rate, row.usual?.refused_rate)),
          column(
            'bounced',
            t('bounced'),
            (row) => (
              <Cell
                value={format.number(row.bounced_hard + row.bounced_soft + row.bounced_blocked)}
                more={bounceKinds
                  .filter((kind) => row[`bounced_${kind}`] > 0)
                  .map((kind) => t(`bounceKinds.${kind}`, { n: format.number(row[`bounced_${kind}`]) }))}
              />
            ),
            { width: 150 },
          ),
          column('opened', t('opened'), (row) => count(row.opened, row.open_rate, row.usual?.open_rate)),
          column('complained', t('complaints'), (row) => count(row.complained, row.complaint_rate), { phone: 'hide' }),
          column('clicked', t('clicked'), (row) => count(row.clicked, row.click_rate), { phone: 'hide' }),
          ...(isCampaign
            ? [
                column(
                  'speed',
                  t('speed'),
                  (row) =>
                    row.first_sent_at && row.last_sent_at ? (
                      <Cell
                        value={t('perMinute', { n: format.number(row.peak_per_minute) })}
                        more={[
                          t('fromTo', { from: format.time(row.first_sent_at), to: format.time(row.last_sent_at) }),
                        ]}
                      />
                    ) : (
                      '—'
                    ),
                  { width: 150, phone: 'hide' },
                ),
              ]
            : []),
        ]}
      />
      <Answers receivers={receivers} />
      <Text size="xs" c="dimmed">
        {t('how')}
      </Text>
    </Stack>
  )
}

const Cell = ({ value, more }: { value: string; more: readonly (string | null)[] }) => (
  <>
    {value}
    {more.flatMap((text) =>
      text === null
        ? []
        : [
            <Text key={text} size="xs" c="dimmed" span className={classes.more}>
              {text}
            </Text>,
          ],
    )}
  </>
)

function Answers({ receivers }: { receivers: readonly Row[] }) {
  const t = useWords('deliverability')
  const format = useFormat()
  const name = useReceiverOrOthers()
  const said = receivers.filter(({ answers }) => answers.length > 0)
  if (said.length === 0) return null
  return (
    <section aria-label={t('answers.title')}>
      <Title order={3} size="h5" mb="xs">
        {t('answers.title')}
      </Title>
      <dl className={classes.answers}>
        {said.map(({ receiver, answers }) => (
          <div key={receiver}>
            <dt>{name(receiver)}</dt>
            {answers.map(({ words, count, at }) => (
              <dd key={words}>
                <code lang="en">{words}</code>
                <Text size="xs" c="dimmed" span>
                  {t('answers.count', { count, n: format.number(count) })} · {format.dateTime(at)}
                </Text>
              </dd>
            ))}
          </div>
        ))}
      </dl>
      <Text size="xs" c="dimmed">
        {t('answers.hidden')}
      </Text>
    </section>
  )
}

/** A page of another company, in a tab of its own. */
export const Source = ({ href, children }: { href: string; children: ReactNode }) => (
  <Anchor href={href} target="_blank" rel="noreferrer" fz="xs">
    {children}
  </Anchor>
)
