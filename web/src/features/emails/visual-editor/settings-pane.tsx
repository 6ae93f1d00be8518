import { Group, Paper, Text } from '@mantine/core'
import type { Design } from '@okaeri/contract/emails/design'
import { IconArrowDown, IconArrowUp, IconCopy, IconTrash } from '@tabler/icons-react'
import { useWords } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import { BlockForm } from './block-form.tsx'
import { endsOf } from './editing.ts'
import { IconButton } from './fields.tsx'
import { LookForm } from './look-form.tsx'
import type { Editing } from './use-blocks.ts'
import classes from './visual-editor.module.css'

/** For the chosen block, or for the whole mail. */
export function SettingsPane({ editing, design }: { editing: Editing; design: Design }) {
  const t = useWords('design')
  const { mayChange } = useMerchant()
  const { block } = editing
  const { isFirst, isLast } = block ? endsOf(design, block.id) : { isFirst: true, isLast: true }
  return (
    <Paper withBorder className={classes.side} component="section" aria-label={t('settings')}>
      <div className={classes.settingsHead}>
        <Text fw={700} size="sm">
          {block ? t(`kind.${block.kind}.name`) : t('look')}
        </Text>
        {block && mayChange && (
          <Group gap={2} wrap="nowrap">
            <IconButton label={t('moveUp')} onClick={() => editing.move(block.id, -1)} disabled={isFirst}>
              <IconArrowUp size={18} aria-hidden />
            </IconButton>
            <IconButton label={t('moveDown')} onClick={() => editing.move(block.id, 1)} disabled={isLast}>
              <IconArrowDown size={18} aria-hidden />
            </IconButton>
            <IconButton label={t('duplicate')} onClick={() => editing.duplicate(block.id)}>
              <IconCopy size={18} aria-hidden />
            </IconButton>
            <IconButton label={t('remove')} onClick={() => editing.remove(block.id)}>
              <IconTrash size={18} aria-hidden />
            </IconButton>
          </Group>
        )}
      </div>
      <fieldset disabled={!mayChange} className={classes.fields}>
        {block ? (
          <BlockForm
            key={block.id}
            block={block}
            look={design.look}
            onChange={(change) => editing.set(block.id, change)}
          />
        ) : (
          <LookForm design={design} onChange={editing.setWhole} />
        )}
      </fieldset>
    </Paper>
  )
}
