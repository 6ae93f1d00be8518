import { Button, Group, Menu, Text } from '@mantine/core'
import type { LinePartOf } from '@okaeri/contract/line-messages/message'
import { IconCircleCheck } from '@tabler/icons-react'
import { lazy, Suspense, useMemo, useRef } from 'react'
import { useWords } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import { fieldReasonText } from '../../../app/reasons.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { Loading } from '../../../ui/states.tsx'
import type { CodeEditorHandle } from '../../emails/editor/code-editor.tsx'
import { TagMenu } from '../../emails/editor/tag-menu.tsx'
import { completeFlex } from './flex-completion.ts'
import { flexPlaces } from './flex-places.ts'
import { type FlexSample, flexSample, flexSampleKeys, isFlexSample } from './flex-samples.ts'
import classes from '../line-editor.module.css'

const CodeEditor = lazy(() =>
  import('../../emails/editor/code-editor.tsx').then((module) => ({ default: module.CodeEditor })),
)

interface FlexFieldProps {
  part: LinePartOf<'flex'>
  onChange: (json: string) => void
  label: string
  /** The contract's reason, after a save that was refused. */
  error: string | undefined
}

/** Flex as JSON, with what is wrong in it at its line. */
export function FlexField({ part: { json }, onChange, label, error }: FlexFieldProps) {
  const t = useWords('lineMessages')
  const { mayChange, setting } = useMerchant()
  const code = useRef<CodeEditorHandle>(null)
  const places = useMemo(() => flexPlaces(json), [json])
  const take = async (sample: FlexSample) => {
    const sure =
      isFlexSample(json) ||
      (await confirm({ title: t('flex.replaceAsk'), body: t('flex.replaceBody'), confirmLabel: t('flex.replace') }))
    if (sure) onChange(flexSample(sample, setting.language))
  }
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={6}>
        <div>
          <Text size="sm" fw={700}>
            {t('field.json')}
          </Text>
          {mayChange && (
            <Text size="xs" c="dimmed" visibleFrom="sm">
              {t('flex.completion')}
            </Text>
          )}
        </div>
        <Group gap="xs">
          <TagMenu insert={(tag) => code.current?.insert(tag)} without={['links', 'components']} />
          <Menu position="bottom-end" shadow="md">
            <Menu.Target>
              <Button size="xs" variant="default">
                {t('flex.samples')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {flexSampleKeys.map((sample) => (
                <Menu.Item key={sample} onClick={() => void take(sample)}>
                  {t(`flex.${sample}`)}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
          <Button
            size="xs"
            variant="default"
            disabled={places.some(({ reason }) => reason === 'not_json')}
            onClick={() => onChange(JSON.stringify(JSON.parse(json), null, 2))}
          >
            {t('flex.tidy')}
          </Button>
        </Group>
      </Group>
      <div className={classes.code} data-invalid={error !== undefined || undefined}>
        <Suspense fallback={<Loading lines={6} />}>
          <CodeEditor
            label={label}
            value={json}
            onChange={onChange}
            handle={code}
            readOnly={!mayChange}
            language="json"
            {...(mayChange && { complete: completeFlex })}
          />
        </Suspense>
      </div>
      {error && places.length === 0 && (
        <Text size="sm" c="var(--mantine-color-error)" mt={4}>
          {fieldReasonText(error)}
        </Text>
      )}
      <div role="status" className={classes.places}>
        {places.length === 0 ? (
          <Text size="sm" c="dimmed" className={classes.fine}>
            <IconCircleCheck size={16} aria-hidden /> {t('flex.fine')}
          </Text>
        ) : (
          <ul>
            {places.map(({ line, place, reason }) => (
              <li key={`${line} ${place} ${reason}`}>
                <button type="button" className={classes.place} onClick={() => code.current?.goToLine(line)}>
                  {t('flex.place', { line, place, reason: fieldReasonText(reason) })}
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}
