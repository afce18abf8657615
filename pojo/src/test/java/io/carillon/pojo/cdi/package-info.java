@NullMarked
package io.carillon.pojo.cdi;

import org.jspecify.annotations.NullMarked;
