export { mediaFiles } from './files.ts'
export { mediaRoutes } from './routes.ts'
export { mediaWork } from './upkeep.ts'
export { sizesOfPictures } from './sizes.ts'
