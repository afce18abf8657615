@NullMarked
package io.carillon.boot.test;

import org.jspecify.annotations.NullMarked;
