import { Button, FileButton, Paper, Select, Stack, Text, Title } from '@mantine/core'
import { type ImportApp, importApps, MAX_IMPORT_BYTES } from '@okaeri/contract/imports/import'
import { uploadImport } from '@okaeri/contract/imports/routes'
import { IconFileTypeCsv, IconUpload } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useFormat } from '../../app/format.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { reasonTexts } from '../../app/reasons.ts'
import { ActionButton } from '../../ui/actions.tsx'
import { useAction } from '../../ui/use-action.ts'
import classes from './import-upload.module.css'

/** Choose the application and a file; the next page shows its content. */
export function ImportUpload() {
  const t = useWords('imports')
  const format = useFormat()
  const language = useLanguage()
  const navigate = useNavigate()
  const { mayChange } = useMerchant()
  const [app, setApp] = useState<ImportApp | null>(null)
  const [file, setFile] = useState<File | null>(null)
  const { zone, over } = useDrop(mayChange ? setFile : null)
  const upload = useAction(uploadImport, {
    onDone: (reply) => void navigate({ to: paths.dataImportOne(reply.import.id) }),
  })
  const wrong = !file
    ? null
    : file.size > MAX_IMPORT_BYTES
      ? reasonTexts.import_too_large[language]
      : file.size === 0
        ? reasonTexts.import_empty[language]
        : null
  const send = () => {
    if (!app || !file) return
    const form = new FormData()
    form.append('app', app)
    form.append('file', file)
    upload.mutate({ form })
  }
  return (
    <Paper withBorder p="lg" component="section" aria-label={t('new')}>
      <Stack gap="md">
        <Title order={2} size="h4">
          {t('new')}
        </Title>
        <Select
          label={t('app.label')}
          placeholder={t('app.placeholder')}
          data={importApps.map((value) => ({ value, label: t(`app.${value}`) }))}
          value={app}
          onChange={(value) => setApp(value as ImportApp | null)}
          disabled={!mayChange}
          allowDeselect={false}
          maw={420}
        />
        {app && (
          <Text size="sm" maw={720}>
            {t(`about.${app}`)}
          </Text>
        )}
        <div ref={zone} className={classes.drop} data-over={over || undefined}>
          <IconFileTypeCsv size={32} stroke={1.5} aria-hidden />
          {file ? (
            <Text fw={600} size="sm">
              {t('file.chosen', { name: file.name, size: format.bytes(file.size) })}
            </Text>
          ) : (
            <Text size="sm">{t('file.drop')}</Text>
          )}
          <FileButton onChange={setFile} accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain">
            {(props) => (
              <Button {...props} variant="default" disabled={!mayChange}>
                {t('file.choose')}
              </Button>
            )}
          </FileButton>
          <Text size="xs" c="dimmed">
            {t('file.limits')}
          </Text>
          {wrong && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {wrong}
            </Text>
          )}
        </div>
        <div>
          <ActionButton
            action={{
              label: upload.isPending ? t('uploading') : t('upload'),
              icon: <IconUpload size={18} aria-hidden />,
              primary: true,
              busy: upload.isPending,
              onClick: send,
              disabledReason: !mayChange
                ? t('viewerMayNot')
                : !app
                  ? t('file.appFirst')
                  : !file
                    ? t('file.choose')
                    : wrong,
            }}
          />
        </div>
      </Stack>
    </Paper>
  )
}

/** Drag and drop, as an alternative to the button. */
function useDrop(take: ((file: File | null) => void) | null) {
  const zone = useRef<HTMLDivElement>(null)
  const [over, setOver] = useState(false)
  useEffect(() => {
    const element = zone.current
    if (!element || !take) return
    const listening = new AbortController()
    const on = (name: 'dragover' | 'dragleave' | 'drop', handle: (event: DragEvent) => void) =>
      element.addEventListener(name, handle, { signal: listening.signal })
    on('dragover', (event) => {
      event.preventDefault()
      setOver(true)
    })
    on('dragleave', () => setOver(false))
    on('drop', (event) => {
      event.preventDefault()
      setOver(false)
      take(event.dataTransfer?.files[0] ?? null)
    })
    return () => listening.abort()
  }, [take])
  return { zone, over }
}
