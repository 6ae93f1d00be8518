import { tabBarHeight } from '@okaeri/contract/rich-menus/menu'
import type { PictureSize } from '@okaeri/contract/rich-menus/menu'
import { useWords } from '../../app/i18n.ts'
import { placed } from './area-canvas.tsx'
import classes from './area-canvas.module.css'
import type { ShownPicture } from './picture-field.tsx'

interface PhonePreviewProps {
  picture: ShownPicture | null
  size: PictureSize
  tabCount: number
  tabHeight: number
  chatBarText: string
  onTab: (tab: number) => void
}

/** The menu below a chat, as on a phone; its tabs can be tapped. */
export function PhonePreview({ picture, size, tabCount, tabHeight, chatBarText, onTab }: PhonePreviewProps) {
  const t = useWords('richMenus')
  const height = tabBarHeight(size, tabHeight)
  return (
    <figure className={classes.phone} aria-label={t('preview')} style={{ margin: 0 }}>
      <div className={classes.chat} />
      <div className={classes.shown} style={{ aspectRatio: `${size.width} / ${size.height}` }}>
        {picture && <img src={picture.url} alt="" className={classes.picture} />}
        {tabCount > 1 &&
          Array.from({ length: tabCount }, (_, tab) => (
            <button
              // biome-ignore lint/suspicious/noArrayIndexKey: tabs are known by their place
              key={tab}
              type="button"
              aria-label={t('tab', { number: tab + 1 })}
              style={placed({ x: (size.width * tab) / tabCount, y: 0, width: size.width / tabCount, height }, size)}
              onClick={() => onTab(tab)}
            />
          ))}
      </div>
      <div className={classes.bar}>{chatBarText || '…'} ▾</div>
    </figure>
  )
}
