export { productsOfCustomers } from './customer-products.ts'
export { productsRanked } from './ranking.ts'
