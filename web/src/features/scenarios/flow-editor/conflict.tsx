import { Button, Modal, Text } from '@mantine/core'
import { useWords } from '../../../app/i18n.ts'
import classes from './flow-editor.module.css'

interface ConflictProps {
  opened: boolean
  saving: boolean
  onMine: () => void
  onTheirs: () => void
  onLater: () => void
}

/** Another member saved the flow meanwhile: asks which of the two to keep. */
export function Conflict(props: ConflictProps) {
  const t = useWords('flow')
  const ui = useWords('ui')
  return (
    <Modal
      opened={props.opened}
      onClose={props.onLater}
      title={t('conflict.title')}
      centered
      closeButtonProps={{ 'aria-label': ui('close') }}
    >
      <Text size="sm">{t('conflict.body')}</Text>
      <div className={classes.choices}>
        <Button color="red" loading={props.saving} onClick={props.onMine}>
          {t('conflict.mine')}
        </Button>
        <div>
          <Button variant="default" fullWidth onClick={props.onTheirs}>
            {t('conflict.theirs')}
          </Button>
          <Text size="xs" c="dimmed" mt={4}>
            {t('conflict.theirsHelp')}
          </Text>
        </div>
        <Button variant="subtle" onClick={props.onLater}>
          {t('conflict.later')}
        </Button>
      </div>
    </Modal>
  )
}
