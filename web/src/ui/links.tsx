import {
  Anchor,
  type AnchorProps,
  Button,
  type ButtonProps,
  Menu,
  type MenuItemProps,
  NavLink,
  type NavLinkProps,
} from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'

type AnchorAttributes<Own> = Own & Omit<ComponentPropsWithRef<'a'>, keyof Own>

/** Mantine's controls as links of the router: `to={paths.campaign(id)}`, `search={{ … }}`. */
export const TextLink = createLink((props: AnchorAttributes<AnchorProps>) => <Anchor {...props} />)
export const ButtonLink = createLink((props: AnchorAttributes<ButtonProps>) => <Button component="a" {...props} />)
export const MenuLink = createLink((props: AnchorAttributes<MenuItemProps>) => <Menu.Item component="a" {...props} />)
export const NavItem = createLink((props: AnchorAttributes<NavLinkProps>) => <NavLink component="a" {...props} />)
