package io.carillon.servlet.members;

import java.io.BufferedReader;
import java.io.PrintWriter;
import java.io.Reader;
import java.io.Writer;
import java.lang.reflect.Proxy;
import javax.servlet.ReadListener;
import javax.servlet.ServletInputStream;
import javax.servlet.ServletOutputStream;
import javax.servlet.WriteListener;

/** What a member returns in place of the null that it returned. */
public final class OtherValue {
    private OtherValue() {}

    /**
     * Called by changed classes.
     *
     * @throws IllegalArgumentException when there is no value of that type here
     */
    public static Object of(Class<?> type) {
        if (type.isInterface()) {
            return Proxy.newProxyInstance(
                    OtherValue.class.getClassLoader(),
                    new Class<?>[] {type},
                    (self, method, arguments) -> null);
        }
        if (type == String.class) {
            return "another value";
        }
        if (type == BufferedReader.class) {
            return new BufferedReader(Reader.nullReader());
        }
        if (type == PrintWriter.class) {
            return new PrintWriter(Writer.nullWriter());
        }
        if (type == ServletInputStream.class) {
            return new ServletInputStream() {
                @Override
                public int read() {
                    return -1;
                }

                @Override
                public boolean isFinished() {
                    return true;
                }

                @Override
                public boolean isReady() {
                    return true;
                }

                @Override
                public void setReadListener(ReadListener listener) {}
            };
        }
        if (type == ServletOutputStream.class) {
            return new ServletOutputStream() {
                @Override
                public void write(int b) {}

                @Override
                public boolean isReady() {
                    return true;
                }

                @Override
                public void setWriteListener(WriteListener listener) {}
            };
        }
        throw new IllegalArgumentException("no other value of " + type);
    }
}
