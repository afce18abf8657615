/** The service manager that started the process, where one did: what it is told. */
@NullMarked
package io.carillon.server.service;

import org.jspecify.annotations.NullMarked;
