@NullMarked
package io.carillon.pojo.spring;

import org.jspecify.annotations.NullMarked;
