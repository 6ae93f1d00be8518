import { Box, Button, Group, Select, Stack, Text } from '@mantine/core'
import type { Email } from '@okaeri/contract/emails/email'
import { starterDesign } from '@okaeri/contract/emails/starter-design'
import type { StarterKey } from '@okaeri/contract/emails/starters'
import { Locale } from '@okaeri/contract/locale'
import { IconLayoutList } from '@tabler/icons-react'
import { useState } from 'react'
import { refresh } from '../../../api/queries.ts'
import { languageChoices, useWords } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import { ActionButton } from '../../../ui/actions.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { toast } from '../../../ui/toast.ts'
import { changeInLanguage, type EmailLanguage, inLanguage } from '../email-language.ts'
import { StarterGallery } from '../starter-gallery.tsx'

interface SwitchToVisualProps {
  email: Email
  /** Which of its languages. */
  language: EmailLanguage
  dirty: boolean
}

/** From HTML to blocks: it begins from a template, and the HTML is lost, which is said before. */
export function SwitchToVisual({ email, language: its, dirty }: SwitchToVisualProps) {
  const t = useWords('emails')
  const ui = useWords('ui')
  const { mayChange, setting, store } = useMerchant()
  const [opened, setOpened] = useState(false)
  const [starter, setStarter] = useState<StarterKey>('newsletter')
  const [language, setLanguage] = useState<Locale>(its ?? setting.language)
  const [busy, setBusy] = useState(false)
  const replace = async () => {
    setBusy(true)
    try {
      await changeInLanguage(email, its, {
        design: starterDesign({ starter, language, storeUrl }),
        // HTML that another member saved meanwhile is not replaced unseen.
        began: { content: inLanguage(email, its).content, design: null },
      })
      await refresh('emails')
      setOpened(false)
    } catch (error) {
      toast.failed(error)
    } finally {
      setBusy(false)
    }
  }
  const storeUrl = store ? (store.storefront_url ?? `https://${store.shop_domain}`) : 'https://example.com/'
  return (
    <>
      <ActionButton
        action={{
          label: t('toVisual.action'),
          icon: <IconLayoutList size={18} aria-hidden />,
          disabledReason: !mayChange && t('readOnly'),
          onClick: () => (dirty ? toast.error(t('toVisual.unsaved')) : setOpened(true)),
        }}
      />
      <Dialog opened={opened} onClose={() => setOpened(false)} title={t('toVisual.title')} size="xl">
        <Stack>
          <Notice tone="warning">{t('toVisual.lost')}</Notice>
          {/* Scrolls by itself, so that what is lost and the button that does it are seen together. */}
          <Box mah="40dvh" style={{ overflowY: 'auto' }}>
            <StarterGallery language={language} value={starter} onChange={setStarter} />
          </Box>
          <Select
            label={t('form.language')}
            data={languageChoices}
            value={language}
            allowDeselect={false}
            onChange={(value) => setLanguage(Locale.parse(value))}
            w={220}
          />
          <Text size="sm" c="dimmed">
            {t('toVisual.kept')}
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setOpened(false)}>
              {ui('cancel')}
            </Button>
            <Button color="red" loading={busy} onClick={() => void replace()}>
              {t('toVisual.confirm')}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  )
}
