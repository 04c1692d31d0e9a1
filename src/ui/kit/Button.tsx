/** Button of the page. It submits nothing unless it says so. `className`: further looks, such as `button-primary`. */
import type { ComponentProps } from 'react';

export const Button = ({ className = '', ...more }: ComponentProps<'button'>) => (
  <button type="button" className={`button ${className}`} {...more} />
);
