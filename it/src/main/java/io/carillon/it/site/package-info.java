/** The static site: the pages of the checkout as HTML, with their navigation and the Javadoc. */
@NullMarked
package io.carillon.it.site;

import org.jspecify.annotations.NullMarked;
