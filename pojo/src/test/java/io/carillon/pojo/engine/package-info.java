@NullMarked
package io.carillon.pojo.engine;

import org.jspecify.annotations.NullMarked;
