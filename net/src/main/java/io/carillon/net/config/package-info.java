/** What the configuration records of this module have in common. */
@NullMarked
package io.carillon.net.config;

import org.jspecify.annotations.NullMarked;
