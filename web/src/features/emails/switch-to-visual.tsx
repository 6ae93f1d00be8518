import { Box, Button, Group, Select, Stack, Text } from '@mantine/core'
import type { Email } from '@okaeri/contract/emails/email'
import { changeEmail } from '@okaeri/contract/emails/routes'
import { starterDesign } from '@okaeri/contract/emails/starter-design'
import type { StarterKey } from '@okaeri/contract/emails/starters'
import { Locale } from '@okaeri/contract/locale'
import { IconLayoutList } from '@tabler/icons-react'
import { useState } from 'react'
import { languageChoices, useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { ActionButton } from '../../ui/actions.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.ts'
import { useAction } from '../../ui/use-action.ts'
import { StarterGallery } from './starter-gallery.tsx'

/** From HTML to blocks: it begins from a template, and the HTML is lost, which is said before. */
export function SwitchToVisual({ email, dirty }: { email: Email; dirty: boolean }) {
  const t = useWords('emails')
  const ui = useWords('ui')
  const { mayChange, setting, store } = useMerchant()
  const [opened, setOpened] = useState(false)
  const [starter, setStarter] = useState<StarterKey>('newsletter')
  const [language, setLanguage] = useState<Locale>(setting.language)
  const change = useAction(changeEmail, { onDone: () => setOpened(false) })
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
            <Button
              color="red"
              loading={change.isPending}
              onClick={() =>
                change.mutate({
                  params: { id: email.id },
                  body: {
                    design: starterDesign({ starter, language, storeUrl }),
                    // HTML that somebody saved meanwhile is not replaced unseen.
                    began: { content: email.content, design: null },
                  },
                })
              }
            >
              {t('toVisual.confirm')}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  )
}
