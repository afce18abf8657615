package io.carillon.web;

import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

/** Answers every refusal of the API as a problem document (RFC 9457), Spring's own too. */
@RestControllerAdvice(assignableTypes = CallApi.class)
class ApiProblems extends ResponseEntityExceptionHandler {}
