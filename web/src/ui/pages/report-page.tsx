import { Center, Group, Paper, SegmentedControl, Stack, Table, Text, Title } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { CsvButton } from '../csv-button.tsx'
import { Figures } from '../figure.tsx'
import { type Back, PageFrame } from './page-frame.tsx'
import classes from './report-page.module.css'
import { Loading, LoadFailed } from '../states.tsx'

interface ReportPageProps {
  title: string
  back?: Back
  badge?: ReactNode
  description?: ReactNode
  /** Time span etc., to the right of the title. */
  controls?: ReactNode
  csv?: readonly { label?: string; run: () => Promise<void> }[]
  query: { data: unknown; error: Error | null; refetch: () => unknown }
  /** When and how the numbers were counted. */
  countedAt?: string | undefined
  howCounted?: ReactNode
  notice?: ReactNode
  /** `Figure`s; they show skeletons themselves while their value is undefined. */
  figures: ReactNode
  /** `ChartCard`s and tables. */
  children?: ReactNode
}

/** The report page: figures, chart, table, CSV, and when and how the numbers were counted. */
export function ReportPage(props: ReportPageProps) {
  const t = useWords('ui')
  const format = useFormat()
  return (
    <PageFrame
      title={props.title}
      back={props.back}
      badge={props.badge}
      description={props.description}
      actions={
        <>
          {props.controls}
          {!(props.query.error && !props.query.data) &&
            props.csv?.map((file) => <CsvButton key={file.label ?? ''} label={file.label} run={file.run} />)}
        </>
      }
    >
      {props.notice}
      {props.query.error && !props.query.data ? (
        <Paper withBorder>
          <LoadFailed error={props.query.error} retry={() => void props.query.refetch()} />
        </Paper>
      ) : (
        <>
          <Figures>{props.figures}</Figures>
          {props.query.data === undefined ? (
            <Paper withBorder p="lg" h={320}>
              <Loading lines={8} />
            </Paper>
          ) : (
            props.children
          )}
          {(props.countedAt || props.howCounted) && (
            <Text size="sm" c="dimmed">
              {props.countedAt && (
                <>
                  <IconRefresh size={14} aria-hidden className={classes.fresh} />
                  {t('report.countedAt', { time: format.dateTime(props.countedAt) })}
                </>
              )}
              {props.countedAt && props.howCounted && ' · '}
              {props.howCounted}
            </Text>
          )}
        </>
      )}
    </PageFrame>
  )
}

interface ChartCardProps {
  title: string
  /** To the left of the chart/table switch: choice of series, units. */
  controls?: ReactNode
  chart: ReactNode
  /** Shown instead of an empty chart, because a line at zero looks like a measurement. */
  empty?: string | false
  /** The same numbers as a table. */
  table: { head: readonly string[]; rows: readonly (readonly ReactNode[])[] }
}

/** A chart that can be read as a table. */
export function ChartCard({ title, controls, chart, empty, table }: ChartCardProps) {
  const t = useWords('ui')
  const [view, setView] = useState<'chart' | 'table'>('chart')
  return (
    <Paper withBorder p="lg" component="section" aria-label={title}>
      <Stack gap="md">
        <Group justify="space-between" gap="sm">
          <Title order={2} size="h4">
            {title}
          </Title>
          <Group gap="sm">
            {controls}
            <SegmentedControl
              size="xs"
              aria-label={t('report.viewAs')}
              value={view}
              onChange={(value) => setView(value === 'table' ? 'table' : 'chart')}
              data={[
                { value: 'chart', label: t('report.chart') },
                { value: 'table', label: t('report.table') },
              ]}
            />
          </Group>
        </Group>
        {view === 'chart' && empty ? (
          <Center mih={160}>
            <Text size="sm" c="dimmed">
              {empty}
            </Text>
          </Center>
        ) : view === 'chart' ? (
          <div className={classes.chart} role="img" aria-label={title}>
            {chart}
          </div>
        ) : (
          <Table.ScrollContainer
            minWidth={480}
            maxHeight={420}
            scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'region', 'aria-label': title } }}
          >
            <Table stickyHeader className="numbers">
              <Table.Thead>
                <Table.Tr>
                  {table.head.map((name, at) => (
                    <Table.Th key={name} ta={at === 0 ? 'left' : 'right'}>
                      {name}
                    </Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {table.rows.map((row, line) => (
                  <Table.Tr key={line}>
                    {row.map((cell, at) => (
                      <Table.Td key={table.head[at]} ta={at === 0 ? 'left' : 'right'}>
                        {cell}
                      </Table.Td>
                    ))}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </Stack>
    </Paper>
  )
}
