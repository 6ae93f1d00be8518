import { AppShell, Badge, Burger, Group, NavLink, ScrollArea, Skeleton, Text, Tooltip } from '@mantine/core'
import { useDisclosure, useLocalStorage } from '@mantine/hooks'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { NavItem, TextLink } from '../ui/links.tsx'
import { LoadFailed, PageLoading } from '../ui/states.tsx'
import { AccountUnconfirmed } from './account-unconfirmed.tsx'
import { AccountMenu, LanguageSwitch, ThemeSwitch } from './header-controls.tsx'
import { WithinFrame } from './error-pages.tsx'
import { showLanguage, storedLanguage, useWords } from './i18n.ts'
import { MerchantProvider, useMerchant } from './merchant.tsx'
import { navigation, placeOf, settingsPlace } from './navigation.ts'
import { CommandPalette, PaletteButton } from './palette.tsx'
import mark from './okaeri.svg'
import { paths } from './paths.ts'
import classes from './shell.module.css'
import { SendingHold } from './sending-hold.tsx'
import { CurrenciesDiffer, CurrencyChanged } from './currencies-differ.tsx'
import { StoreLost } from './store-lost.tsx'

/** The frame around every page of a signed-in merchant. */
export function Shell() {
  return (
    <MerchantProvider
      loading={
        <Frame account={<Skeleton circle height={34} />}>
          <PageLoading />
        </Frame>
      }
      failed={(error, retry) => (
        <Frame account={null}>
          <title>Okaeri</title>
          <LoadFailed error={error} retry={retry} />
        </Frame>
      )}
    >
      <MerchantFrame />
    </MerchantProvider>
  )
}

function MerchantFrame() {
  const t = useWords('shell')
  const { setting, member } = useMerchant()
  const pathname = usePathname()
  useEffect(() => {
    // First visit with this browser: uses the language the member chose elsewhere.
    if (storedLanguage() === null) void showLanguage(member.language)
  }, [member.language])
  return (
    <Frame
      merchant={
        <>
          <Text className={classes.site} title={setting.site_name} visibleFrom="md">
            {setting.site_name}
          </Text>
          {setting.test_mode && (
            <Tooltip
              label={t('testMode.explain')}
              multiline
              w={280}
              events={{ hover: true, focus: true, touch: false }}
            >
              <TextLink to={paths.settings()} hash="test-mode" underline="never" className={classes.testMode}>
                <Badge component="span" className={classes.testBadge}>
                  {t('testMode.badge')}
                </Badge>
              </TextLink>
            </Tooltip>
          )}
        </>
      }
      search={<PaletteButton />}
      account={<AccountMenu />}
    >
      <SendingHold pathname={pathname} />
      <AccountUnconfirmed />
      <StoreLost pathname={pathname} />
      <CurrencyChanged />
      <CurrenciesDiffer />
      <Outlet />
      <CommandPalette />
    </Frame>
  )
}

const usePathname = () => useRouterState({ select: (state) => state.location.pathname })

/** Header and navigation, which are shown before the merchant is loaded. */
function Frame(props: { merchant?: ReactNode; search?: ReactNode; account: ReactNode; children: ReactNode }) {
  const t = useWords('shell')
  const [opened, { close: closeMenu, toggle: toggleMenu }] = useDisclosure()
  const pathname = usePathname()

  useEffect(() => {
    closeMenu()
  }, [pathname, closeMenu])
  useFocusAfterLeaving()

  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={{ base: 'md', sm: 'xl' }}
    >
      <a className="skip-link" href="#main">
        {t('skip')}
      </a>
      <AppShell.Header>
        <Group h="100%" px={{ base: 'xs', sm: 'md' }} gap="xs" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Burger
              opened={opened}
              onClick={toggleMenu}
              hiddenFrom="sm"
              size="sm"
              aria-label={t(opened ? 'closeMenu' : 'openMenu')}
            />
            <TextLink to={paths.dashboard()} className={classes.brand} underline="never" aria-label={t('product')}>
              <img src={mark} alt="" width={28} height={28} />
              <span className={classes.product}>{t('product')}</span>
            </TextLink>
            {props.merchant}
          </Group>
          <Group gap={6} wrap="nowrap">
            {props.search}
            <LanguageSwitch />
            <ThemeSwitch />
            {props.account}
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar aria-label={t('mainNavigation')}>
        <AppShell.Section grow component={ScrollArea} className={classes.scroll} type="hover" scrollbarSize={6}>
          <Navigation entries={navigation} pathname={pathname} />
        </AppShell.Section>
        <AppShell.Section className={classes.foot}>
          <Navigation entries={[settingsPlace]} pathname={pathname} />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} className={classes.main}>
        <WithinFrame value>{props.children}</WithinFrame>
      </AppShell.Main>
    </AppShell>
  )
}

/** Where the button or link that led here went with its page, the next key begins in the new page, and screen readers say so. */
function useFocusAfterLeaving(): void {
  const shown = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  const before = useRef(shown)
  useEffect(() => {
    const isAnother = before.current !== undefined && before.current !== shown
    before.current = shown
    if (isAnother && document.activeElement === document.body)
      document.getElementById('main')?.focus({ preventScroll: true })
  }, [shown])
}

/** In a low window the place one is at may be further down in the navigation than is seen. */
function showWithin(list: HTMLElement | null): void {
  const place = list?.querySelector('[aria-current="page"]')
  const window = list?.closest('.mantine-ScrollArea-viewport')
  if (!place || !window) return
  const [{ top, bottom }, seen] = [place.getBoundingClientRect(), window.getBoundingClientRect()]
  if (top < seen.top || bottom > seen.bottom) window.scrollTop += top - seen.top - seen.height / 2
}

function Navigation({ entries, pathname }: { entries: typeof navigation; pathname: string }) {
  const t = useWords('shell')
  const current = placeOf(pathname)
  const [closed, setClosed] = useLocalStorage<readonly string[]>({
    key: 'navigation-closed',
    defaultValue: [],
    getInitialValueInEffect: false,
  })
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => showWithin(list.current), [current])
  // Exact: /data is not active on /data/import.
  const exact = { activeOptions: { exact: true } }
  const marks = (to: string) =>
    to === current ? { ...exact, active: true, 'aria-current': 'page' as const } : { ...exact, active: false }
  return (
    <div className={classes.navigation} ref={list}>
      {entries.map((entry) => {
        const icon = <entry.icon size={19} stroke={1.7} />
        if (!('places' in entry))
          return (
            <NavItem key={entry.label} to={entry.to} label={t(entry.label)} leftSection={icon} {...marks(entry.to)} />
          )
        return (
          <NavLink
            key={entry.label}
            component="button"
            label={t(entry.label)}
            leftSection={icon}
            opened={!closed.includes(entry.label)}
            onChange={(opened) =>
              setClosed((all) => [...all.filter((label) => label !== entry.label), ...(opened ? [] : [entry.label])])
            }
            // A folded group is marked if it contains the current page.
            active={closed.includes(entry.label) && entry.places.some(({ to }) => to === current)}
            childrenOffset={31}
          >
            {entry.places.map((place) => (
              <NavItem key={place.label} to={place.to} label={t(place.label)} {...marks(place.to)} />
            ))}
          </NavLink>
        )
      })}
    </div>
  )
}
