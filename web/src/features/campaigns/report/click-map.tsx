import { Group, SegmentedControl, Select, Switch, Table, Text } from '@mantine/core'
import { type AbChoice, AbGroup } from '@okaeri/contract/campaigns/ab-test'
import { getClickMap, getStepClickMap, type ClickMap as Clicks } from '@okaeri/contract/reports/routes'
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { queryOf } from '../../../api/queries.ts'
import { useFormat } from '../../../app/format.ts'
import { useWords } from '../../../app/i18n.ts'
import { Card } from '../../../ui/pages/detail-page.tsx'
import { Loading, LoadFailed } from '../../../ui/states.tsx'
import type { EmailLanguage } from '../../emails/email-language.ts'
import { LanguageSwitch } from '../../emails/language-bar.tsx'
import { MailPreview } from '../../emails/preview/mail-preview.tsx'
import classes from './click-map.module.css'
import { clickMarks, shareOf } from './click-marks.ts'
import { linkTexts, nameOf, placeOf } from './link-names.ts'

interface ClickMapProps {
  campaignId: string
  action: ReactNode
  /** For an A/B test: each group has a mail of its own. */
  groups: readonly { group: AbGroup; content: AbChoice }[]
}

type Link = Clicks['links'][number]

/** The mail as it was sent with the clicks on each link drawn upon it, and the same numbers as a table. */
export function ClickMap({ campaignId, action, groups }: ClickMapProps) {
  const t = useWords('campaigns')
  const [chosen, setChosen] = useState<AbGroup>('a')
  const [language, setLanguage] = useState<EmailLanguage>(null)
  const query = useQuery({
    ...queryOf(getClickMap, {
      params: { id: campaignId },
      query: { ...(groups.length > 0 && { group: chosen }), ...(language !== null && { language }) },
    }),
    placeholderData: keepPreviousData,
  })
  return (
    <Card title={t('clickMap.title')} action={action}>
      {groups.length > 0 && (
        <SegmentedControl
          aria-label={t('ab.review.gets')}
          style={{ alignSelf: 'flex-start' }}
          value={chosen}
          onChange={(value) => setChosen(AbGroup.parse(value))}
          data={groups.map(({ group, content }) => ({
            value: group,
            label:
              group === 'rest' ? t('ab.group.restGot', { content: t(`ab.group.${content}`) }) : t(`ab.group.${group}`),
          }))}
        />
      )}
      <LanguageSwitch languages={query.data?.languages ?? []} value={language} onChange={setLanguage} />
      <Loaded query={query} />
    </Card>
  )
}

interface StepClickMapProps {
  scenarioId: string
  /** The steps that send an email. */
  steps: readonly { id: string; label: string }[]
}

/** The same of a scenario, step by step; a step's email that was changed meanwhile can be chosen as it was before. */
export function StepClickMap({ scenarioId, steps }: StepClickMapProps) {
  const t = useWords('campaigns')
  const format = useFormat()
  const [chosen, setChosen] = useState<{ step: string; message?: string | undefined }>()
  const [language, setLanguage] = useState<EmailLanguage>(null)
  const step = steps.find(({ id }) => id === chosen?.step) ?? steps[0]
  const message = step?.id === chosen?.step ? chosen?.message : undefined
  const query = useQuery({
    ...queryOf(getStepClickMap, {
      params: { id: scenarioId },
      query: {
        node_id: step?.id ?? '',
        ...(message !== undefined && { message_id: message }),
        ...(language !== null && { language }),
      },
    }),
    enabled: step !== undefined,
    placeholderData: keepPreviousData,
  })
  if (!step) return null
  const { messages = [], message_id: shown } = query.data ?? {}
  // Another message may not have this language.
  const choose = (next: typeof chosen) => {
    setLanguage(null)
    setChosen(next)
  }
  return (
    <Card title={t('clickMap.title')}>
      <Group gap="sm">
        {steps.length > 1 && (
          <Select
            aria-label={t('clickMap.step')}
            w={{ base: '100%', xs: 300 }}
            allowDeselect={false}
            value={step.id}
            onChange={(value) => choose({ step: value ?? step.id })}
            data={steps.map(({ id, label }) => ({ value: id, label }))}
          />
        )}
        {messages.length > 1 && (
          <Select
            aria-label={t('clickMap.content')}
            w={{ base: '100%', xs: 300 }}
            allowDeselect={false}
            value={shown ?? null}
            onChange={(value) => choose({ step: step.id, message: value ?? undefined })}
            data={messages.map(({ id, from }) => ({
              value: id,
              label: t('clickMap.from', { time: format.dateTime(from) }),
            }))}
          />
        )}
        <LanguageSwitch languages={query.data?.languages ?? []} value={language} onChange={setLanguage} />
      </Group>
      <Loaded query={query} />
    </Card>
  )
}

/** No map is shown for what another one was asked for. */
function Loaded({ query: { data, isPlaceholderData, error, refetch } }: { query: UseQueryResult<Clicks> }) {
  if (data && !isPlaceholderData) return <Drawn clicks={data} />
  return error ? <LoadFailed error={error} retry={() => void refetch()} /> : <Loading lines={8} />
}

function Drawn({ clicks }: { clicks: Clicks }) {
  const t = useWords('campaigns')
  const format = useFormat()
  const [marked, setMarked] = useState(true)
  const { mail, mark, links, test_mode: isTest } = clicks
  const share = (link: Pick<Link, 'position' | 'click_count'>): string | null => {
    const percent = isTest ? null : shareOf(link, links)
    return percent === null ? null : format.percent(percent)
  }
  const rules = clickMarks(mark, links, (link) =>
    [
      t('clickMap.clicks', { count: link.click_count, n: format.number(link.click_count) }),
      link.click_count > 0 && share(link),
    ]
      .filter(Boolean)
      .join(' · '),
  )
  if (!mail)
    return (
      <Text c="dimmed" size="sm">
        {t('clickMap.noMail')}
      </Text>
    )
  const none = !clicks.tracking_enabled
    ? t('clickMap.untracked')
    : links.length === 0
      ? t('clickMap.noLinks')
      : links.every((link) => link.click_count === 0)
        ? t('clickMap.noClicks')
        : null
  return (
    <div className={classes.map}>
      <div className={classes.numbers}>
        {none && <Text size="sm">{none}</Text>}
        {links.length > 0 && (
          <>
            <LinkTable clicks={clicks} mail={mail} share={share} />
            <Text size="sm" c="dimmed">
              {t(isTest ? 'clickMap.howTest' : 'clickMap.how')}
            </Text>
          </>
        )}
      </div>
      <MailPreview
        mail={mail}
        drawnOver={marked ? rules : ''}
        controls={
          links.length > 0 && (
            <Switch
              size="sm"
              label={t('clickMap.show')}
              checked={marked}
              onChange={(event) => setMarked(event.currentTarget.checked)}
            />
          )
        }
      />
    </div>
  )
}

function LinkName({ url, texts }: { url: string; texts: readonly string[] }) {
  const t = useWords('campaigns')
  const format = useFormat()
  const { text, isOneOfMany, places } = nameOf(texts)
  const place = placeOf(url) ?? t('clickMap.filledIn')
  const notes = [
    text && place,
    places === 0 && t('clickMap.notShown'),
    places > 1 && t('clickMap.places', { n: format.number(places) }),
  ]
  return (
    <>
      {isOneOfMany ? t('clickMap.andOthers', { text }) : text || place}
      {notes.filter(Boolean).map((note) => (
        <Text key={String(note)} size="xs" c="dimmed">
          {note}
        </Text>
      ))}
    </>
  )
}

interface LinkTableProps {
  clicks: Clicks
  mail: NonNullable<Clicks['mail']>
  share: (link: Link) => string | null
}

function LinkTable({ clicks: { links, mark }, mail, share }: LinkTableProps) {
  const t = useWords('campaigns')
  const format = useFormat()
  const texts = useMemo(() => linkTexts(mail.html, mark), [mail.html, mark])
  return (
    <Table className={`numbers ${classes.links}`} verticalSpacing="sm" aria-label={t('clickMap.table')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w="4em">{t('clickMap.number')}</Table.Th>
          <Table.Th>{t('report.link')}</Table.Th>
          <Table.Th ta="right" w="5.5em">
            {t('report.clickCount')}
          </Table.Th>
          <Table.Th ta="right" w="6.5em">
            {t('report.machineCount')}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {links.map((link) => (
          <Table.Tr key={link.position}>
            <Table.Td>{format.number(link.position + 1)}</Table.Td>
            <Table.Td title={link.url}>
              <LinkName url={link.url} texts={texts.get(link.position) ?? []} />
            </Table.Td>
            <Table.Td ta="right">
              {format.number(link.click_count)}
              {share(link) && (
                <Text size="xs" c="dimmed">
                  {share(link)}
                </Text>
              )}
            </Table.Td>
            <Table.Td ta="right" c="dimmed">
              {format.number(link.machine_click_count)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
