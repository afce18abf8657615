package io.carillon.sip.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.junit.jupiter.api.Test;

/** Who stands for the container has to pass on all that a container may be told. */
class LateStackUserTest {
    @Test
    void eachMethodIsPassedOnAlsoThoseThatHaveADefault() {
        for (Method told : StackUser.class.getMethods()) {
            if (Modifier.isStatic(told.getModifiers())) {
                continue;
            }
            assertThat(LateStackUser.class.getDeclaredMethods())
                    .as(told.getName())
                    .anyMatch(own ->
                            own.getName().equals(told.getName())
                                    && own.getParameterCount() == told.getParameterCount());
        }
    }
}
