@NullMarked
package io.carillon.webtest;

import org.jspecify.annotations.NullMarked;
