package io.carillon.pojo.engine;

import javax.servlet.ServletException;

/** A handler class that cannot be: names class and method, and the rule. Ends the deployment. */
public final class HandlerException extends ServletException {
    /**
     * @param message class, method and rule in a sentence
     */
    public HandlerException(String message) {
        super(message);
    }

    /**
     * @param message class, method and rule in a sentence
     */
    public HandlerException(String message, Throwable cause) {
        super(message, cause);
    }
}
