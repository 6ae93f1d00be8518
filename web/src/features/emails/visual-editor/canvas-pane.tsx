import { Group, Paper, SegmentedControl } from '@mantine/core'
import type { Design } from '@okaeri/contract/emails/design'
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react'
import { useState } from 'react'
import { useWords } from '../../../app/i18n.ts'
import { CustomerPicker } from '../customer-picker.tsx'
import type { SeenAs } from '../editor/editor-panes.tsx'
import { MailPreview } from '../preview/mail-preview.tsx'
import type { usePreview } from '../preview/use-preview.ts'
import { Canvas } from './canvas.tsx'
import { IconButton } from './fields.tsx'
import type { useHistory } from './history.ts'
import type { Editing } from './use-blocks.ts'
import classes from './visual-editor.module.css'

interface CanvasPaneProps {
  design: Design
  editing: Editing
  history: ReturnType<typeof useHistory>
  mail: ReturnType<typeof usePreview>['data']
  /** What is shown is from before the last change. */
  stale: boolean
  seenAs: SeenAs
  onSeeAs: (customer: SeenAs) => void
}

/** The mail itself: to be edited, or as it arrives. */
export function CanvasPane({ design, editing, history, mail, stale, seenAs, onSeeAs }: CanvasPaneProps) {
  const t = useWords('design')
  const emails = useWords('emails')
  const [mode, setMode] = useState<'edit' | 'preview'>('edit')
  return (
    <Paper withBorder className={classes.middle} component="section" aria-label={t('canvas')}>
      <div className={classes.tools}>
        <SegmentedControl
          size="xs"
          aria-label={t('mode')}
          value={mode}
          onChange={(value) => setMode(value === 'preview' ? 'preview' : 'edit')}
          data={[
            { value: 'edit', label: t('edit') },
            { value: 'preview', label: t('preview') },
          ]}
        />
        <Group gap={4}>
          <IconButton label={t('undo')} onClick={history.undo} disabled={!history.canUndo}>
            <IconArrowBackUp size={18} aria-hidden />
          </IconButton>
          <IconButton label={t('redo')} onClick={history.redo} disabled={!history.canRedo}>
            <IconArrowForwardUp size={18} aria-hidden />
          </IconButton>
          <CustomerPicker
            label={emails('editor.previewAs')}
            size="xs"
            w={170}
            value={seenAs?.id ?? null}
            valueLabel={seenAs?.name}
            onChange={(id, name) => onSeeAs(id === null ? null : { id, name: name ?? '' })}
          />
        </Group>
      </div>
      {mode === 'edit' ? (
        <Canvas
          design={design}
          html={mail?.html}
          stale={stale}
          selected={editing.selected}
          onSelect={editing.select}
          drop={editing.drop}
        />
      ) : (
        <MailPreview mail={mail} stale={stale} fill />
      )}
    </Paper>
  )
}
