@NullMarked
package io.carillon.boot;

import org.jspecify.annotations.NullMarked;
