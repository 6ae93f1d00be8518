import { Button, Paper, SimpleGrid, Text, Title } from '@mantine/core'
import type { LineMessageContent } from '@okaeri/contract/line-messages/message'
import { createLineMessage, listLineSamples } from '@okaeri/contract/line-messages/routes'
import { lineSamples } from '@okaeri/contract/line-messages/samples'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { queryOf, refresh } from '../../api/queries.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { useEditForm } from '../../ui/edit/edit-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { PageFrame } from '../../ui/pages/page-frame.tsx'
import { Loading, LoadFailed } from '../../ui/states.tsx'
import { blankPart } from './blank-parts.ts'
import { LineEditor } from './line-editor.tsx'
import { LineSchema, type LineValues } from './line-form.ts'
import { MessageDrawing } from './phone/message-drawing.tsx'
import { useFilledMessage } from './filled-message.ts'
import classes from './gallery.module.css'

type Begin = LineMessageContent & { name: string }

/** A template is chosen first; the message is made when it is saved. */
export function LineMessageNew() {
  const [begun, setBegun] = useState<Begin | null>(null)
  return begun ? <NewMessage begun={begun} /> : <Gallery onChoose={setBegun} />
}

function Gallery({ onChoose }: { onChoose: (begin: Begin) => void }) {
  const t = useWords('lineMessages')
  const language = useLanguage()
  const { mayChange, setting } = useMerchant()
  const query = useQuery(queryOf(listLineSamples, { query: { language: setting.language } }))
  const blank: Begin = { name: '', messages: [blankPart('text', setting.language)], quick_replies: [] }
  return (
    <PageFrame
      title={t('start.title')}
      description={t('start.text')}
      back={{ to: paths.lineMessages(), label: t('back') }}
    >
      {!mayChange && <Notice>{t('readOnly')}</Notice>}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md">
        <Tile name={t('start.blank')} about={t('start.blankAbout')} content={null} onChoose={() => onChoose(blank)} />
        {query.data?.data.map(({ key, name, messages, quick_replies }) => (
          <Tile
            key={key}
            // What customers will read is in the merchant's language, what it is called here in that of the page.
            name={lineSamples[key][language].name}
            about={lineSamples[key][language].about}
            content={{ messages, quick_replies }}
            onChoose={() => onChoose({ name, messages, quick_replies })}
          />
        ))}
      </SimpleGrid>
      {!query.data && (
        <Paper withBorder p="lg">
          {query.error ? <LoadFailed error={query.error} retry={() => void query.refetch()} /> : <Loading lines={5} />}
        </Paper>
      )}
    </PageFrame>
  )
}

interface TileProps {
  name: string
  about: string
  content: LineMessageContent | null
  onChoose: () => void
}
function Tile({ name, about, content, onChoose }: TileProps) {
  const t = useWords('lineMessages')
  const { mayChange, setting } = useMerchant()
  return (
    <Paper withBorder p="md" component="section" aria-label={name} className={classes.tile}>
      <Title order={2} size="h5">
        {name}
      </Title>
      <Text size="sm" c="dimmed">
        {about}
      </Text>
      <div className={classes.picture} data-blank={content === null || undefined} lang={setting.language} inert>
        {content ? <Drawn content={content} /> : <IconPlus size={40} stroke={1.5} className={classes.blank} />}
      </div>
      <Button
        variant="default"
        disabled={!mayChange}
        onClick={onChoose}
        aria-label={content ? t('start.chooseNamed', { name }) : t('start.blank')}
      >
        {content ? t('start.choose') : t('start.blank')}
      </Button>
    </Paper>
  )
}

function Drawn({ content }: { content: LineMessageContent }) {
  const { messages } = useFilledMessage(content, null)
  return (
    <>
      {messages.map((message, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: known by their place alone
        <MessageDrawing key={at} message={message} />
      ))}
    </>
  )
}

function NewMessage({ begun }: { begun: Begin }) {
  const t = useWords('lineMessages')
  const navigate = useNavigate()
  const made = useRef<string | null>(null)
  const form = useEditForm<LineValues>({
    values: begun,
    schema: LineSchema,
    save: async (values) => {
      made.current = (await call(createLineMessage, { body: values })).line_message.id
      void refresh('line_messages')
    },
    onSaved: () => {
      // In place of the form: going back must not offer to make it again.
      if (made.current) void navigate({ to: paths.lineMessage(made.current), replace: true })
    },
  })
  return <LineEditor title={t('start.title')} back={{ to: paths.lineMessages(), label: t('back') }} form={form} isNew />
}
