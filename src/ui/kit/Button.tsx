/** A button as all of the page's are; it submits nothing unless it says so. `className`: further looks, such as `button-primary`. */
import type { ComponentProps } from 'react';

export const Button = ({ className = '', ...more }: ComponentProps<'button'>) => (
  <button type="button" className={`button ${className}`} {...more} />
);
