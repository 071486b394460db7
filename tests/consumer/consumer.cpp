// SPDX-License-Identifier: Apache-2.0

#include <atemi/atemi.h>

#include <iostream>

int main()
{
    atemi_error  error;
    atemi_model *model = nullptr;
    if (atemi_robots_load("two_link", nullptr, &model, &error) != ATEMI_OK) {
        std::cerr << error.message << '\n';
        return 1;
    }
    atemi_model_destroy(model);
    std::cout << "atemi " << atemi_version() << '\n';
    return 0;
}
