/** Says before deployment what an archive needs: no code of it runs, nothing is started. */
@NullMarked
package io.carillon.servlet.check;

import org.jspecify.annotations.NullMarked;
