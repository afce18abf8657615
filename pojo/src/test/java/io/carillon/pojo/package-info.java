@NullMarked
package io.carillon.pojo;

import org.jspecify.annotations.NullMarked;
