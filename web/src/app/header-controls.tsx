import { ActionIcon, Avatar, Menu, SegmentedControl, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { languageNames, type Locale } from '@okaeri/contract/locale'
import { rememberLanguage } from '@okaeri/contract/sessions/routes'
import { IconDeviceDesktop, IconLanguage, IconLogout, IconMoon, IconSettings, IconSun } from '@tabler/icons-react'
import { call } from '../api/call.ts'
import { refresh } from '../api/queries.ts'
import { hasSession } from '../api/session.ts'
import { useSignOut } from '../features/sessions/sign-out.ts'
import { MenuLink } from '../ui/links.tsx'
import { toast } from '../ui/toast.ts'
import { languageChoices, showLanguage, useLanguage, useWords } from './i18n.ts'
import { useMerchant } from './merchant.tsx'
import { paths } from './paths.ts'

/** Switches the language at once, and stores it on the server too. */
export function changeLanguage(language: Locale): void {
  void showLanguage(language)
  call(rememberLanguage, { body: { language } })
    .then(() => (hasSession() ? refresh('settings') : undefined))
    .catch((error: unknown) => toast.failed(error))
}

/** Both languages side by side; behind one icon if there is no room. */
export function LanguageSwitch() {
  const t = useWords('shell')
  const language = useLanguage()
  const choose = (value: string) => changeLanguage(value === 'en' ? 'en' : 'ja')
  return (
    <>
      <SegmentedControl
        size="xs"
        visibleFrom="sm"
        aria-label={t('language')}
        value={language}
        onChange={choose}
        data={languageChoices}
      />
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <ActionIcon hiddenFrom="sm" variant="subtle" color="gray" c="dimmed" size="lg" aria-label={t('language')}>
            <IconLanguage size={20} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {(['ja', 'en'] as const).map((which) => (
            <Menu.Item key={which} lang={which} fw={which === language ? 700 : undefined} onClick={() => choose(which)}>
              {languageNames[which]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </>
  )
}

const schemes = [
  { value: 'light', icon: IconSun },
  { value: 'dark', icon: IconMoon },
  { value: 'auto', icon: IconDeviceDesktop },
] as const

export function ThemeSwitch() {
  const t = useWords('shell')
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const Current = schemes.find(({ value }) => value === colorScheme)?.icon ?? IconDeviceDesktop
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" c="dimmed" size="lg" aria-label={t('theme.label')}>
          <Current size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {schemes.map(({ value, icon: Icon }) => (
          <Menu.Item
            key={value}
            leftSection={<Icon size={16} />}
            fw={value === colorScheme ? 700 : undefined}
            onClick={() => setColorScheme(value)}
          >
            {t(`theme.${value}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

export function AccountMenu() {
  const t = useWords('shell')
  const { member } = useMerchant()
  const signOut = useSignOut()
  const name = member.name || member.email
  return (
    <Menu position="bottom-end" shadow="md" width={240}>
      <Menu.Target>
        <UnstyledButton aria-label={t('account.menu', { name })}>
          <Avatar size={34} radius="xl" color="teal" variant="filled" alt="">
            {Array.from(name)[0]?.toUpperCase()}
          </Avatar>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)" truncate>
            {name}
          </Text>
          <Text size="xs" truncate>
            {member.email}
          </Text>
        </Menu.Label>
        <Menu.Divider />
        <MenuLink to={paths.settings()} leftSection={<IconSettings size={16} />}>
          {t('account.settings')}
        </MenuLink>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={signOut}>
          {t('account.logout')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
