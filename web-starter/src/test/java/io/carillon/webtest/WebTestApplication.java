package io.carillon.webtest;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application that adds nothing to the building blocks. */
@SpringBootApplication
class WebTestApplication {}
