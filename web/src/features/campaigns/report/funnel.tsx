import { Button, Menu, Stack, Table, Text } from '@mantine/core'
import type { CampaignReport } from '@okaeri/contract/campaigns/report'
import { createSegment } from '@okaeri/contract/segments/routes'
import { IconChevronDown, IconUsersGroup } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useFormat } from '../../../app/format.ts'
import { useWords } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import { paths } from '../../../app/paths.ts'
import { Card } from '../../../ui/pages/detail-page.tsx'
import { useAction } from '../../../ui/use-action.ts'
import classes from './funnel.module.css'
import { responseConditions, responsesOf } from './response-segment.ts'

/** From all chosen to those who ordered; each share below the emails sent is of them, as everywhere (spec §9). */
export function Funnel({ report }: { report: CampaignReport }) {
  const t = useWords('campaigns')
  const format = useFormat()
  const sent = report.delivery_count
  const steps = [
    { name: 'audience', count: report.balance.audience, bots: null },
    { name: 'sent', count: sent, bots: null },
    ...(report.channels === 'email'
      ? ([{ name: 'opened', count: report.open_count, bots: report.machine_open_count }] as const)
      : []),
    { name: 'clicked', count: report.click_count, bots: report.machine_click_count },
    { name: 'ordered', count: report.order_count, bots: null },
  ] as const
  const widest = Math.max(1, ...steps.map(({ count }) => count))
  return (
    <Card title={t('report.funnel')} action={!report.test_mode && <MakeSegment report={report} />}>
      <Table className="numbers" verticalSpacing="xs">
        <Table.Tbody>
          {steps.map(({ name, count, bots }) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" fw={600}>
                {t(`report.funnelStep.${name}`)}
                <div className={classes.bar} style={{ width: `${(count / widest) * 100}%` }} aria-hidden />
              </Table.Th>
              <Table.Td ta="right" w="12em">
                <Stack gap={0}>
                  <Text fw={700}>{format.number(count)}</Text>
                  {name !== 'audience' && name !== 'sent' && sent > 0 && !report.test_mode && (
                    <Text size="xs" c="dimmed">
                      {format.percent((count / sent) * 100)}
                    </Text>
                  )}
                  {bots !== null && bots > 0 && (
                    <Text size="xs" c="dimmed">
                      {t('report.botsBeside', { n: format.number(bots) })}
                    </Text>
                  )}
                </Stack>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  )
}

/** Creates the segment and opens it: it can be changed there like any other. */
function MakeSegment({ report }: { report: CampaignReport }) {
  const t = useWords('campaigns')
  const navigate = useNavigate()
  const { mayChange } = useMerchant()
  const create = useAction(createSegment, {
    done: { message: t('report.segmentMade') },
    onDone: ({ customer_segment }) => void navigate({ to: paths.segment(customer_segment.id) }),
  })
  if (!mayChange || report.delivery_count === 0) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          loading={create.isPending}
          leftSection={<IconUsersGroup size={16} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          {t('report.makeSegment')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {responsesOf(report.channels).map((response) => (
          <Menu.Item
            key={response}
            onClick={() =>
              create.mutate({
                body: {
                  name: t(`report.segmentName.${response}`, { name: [...report.name].slice(0, NAME_ROOM).join('') }),
                  conditions: responseConditions(report, response),
                },
              })
            }
          >
            {t(`report.segmentOf.${response}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** A segment's name holds a hundred characters; what is said around the campaign's name needs some of them. */
const NAME_ROOM = 70
