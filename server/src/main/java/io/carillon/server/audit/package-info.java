/** Who changed what, when, from where: a log that is only added to. */
@NullMarked
package io.carillon.server.audit;

import org.jspecify.annotations.NullMarked;
